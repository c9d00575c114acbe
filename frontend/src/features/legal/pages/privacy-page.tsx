import { PolicyPage } from '../components/policy-page';
import { privacy } from '../messages';

export default function PrivacyPage() {
  return <PolicyPage policy={privacy} />;
}
