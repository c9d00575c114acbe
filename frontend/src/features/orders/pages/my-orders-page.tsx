import { usePageTitle } from '@/lib/use-page-title';

export default function MyOrdersPage() {
  usePageTitle('My Order');
  return <h1 className="text-4xl">My Order</h1>;
}
