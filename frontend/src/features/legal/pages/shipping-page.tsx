import { PolicyPage } from '../components/policy-page';
import { shipping } from '../messages';

export default function ShippingPage() {
  return <PolicyPage policy={shipping} />;
}
