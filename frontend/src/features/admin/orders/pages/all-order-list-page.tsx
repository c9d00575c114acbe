import { usePageTitle } from '@/lib/use-page-title';

export default function AllOrderListPage() {
  usePageTitle('All Order List');
  return <h1 className="text-4xl">All Order List</h1>;
}
