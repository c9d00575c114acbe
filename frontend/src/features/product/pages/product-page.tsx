import { usePageTitle } from '@/lib/use-page-title';

export default function ProductPage() {
  usePageTitle('Product');
  return <h1 className="text-4xl">Product</h1>;
}
