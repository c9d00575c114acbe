import { PolicyPage } from '../components/policy-page';
import { returnPolicy } from '../messages';

export default function ReturnPolicyPage() {
  return <PolicyPage policy={returnPolicy} />;
}
