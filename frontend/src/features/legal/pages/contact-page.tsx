import { PolicyPage } from '../components/policy-page';
import { contact } from '../messages';

export default function ContactPage() {
  return <PolicyPage policy={contact} contactFirst />;
}
