import { usePageTitle } from '@/lib/use-page-title';

export default function OrdersPage() {
  usePageTitle('Orders');
  return <h1 className="text-4xl">Orders</h1>;
}
