import { usePageTitle } from '@/lib/use-page-title';

export default function ShopPage() {
  usePageTitle('All available Deals');
  return <h1 className="text-4xl">All available Deals</h1>;
}
