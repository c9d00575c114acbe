import { usePageTitle } from '@/lib/use-page-title';

export default function PaymentPage() {
  usePageTitle('Payment');
  return <h1 className="text-4xl">Payment</h1>;
}
