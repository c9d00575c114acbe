import { usePageTitle } from '@/lib/use-page-title';

export default function ManageProductsPage() {
  usePageTitle('Manage Products');
  return <h1 className="text-4xl">Manage Products</h1>;
}
