import { PolicyPage } from '../components/policy-page';
import { terms } from '../messages';

export default function TermsPage() {
  return <PolicyPage policy={terms} />;
}
