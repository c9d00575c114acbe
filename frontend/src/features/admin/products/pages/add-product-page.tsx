import { usePageTitle } from '@/lib/use-page-title';

export default function AddProductPage() {
  usePageTitle('Add Product');
  return <h1 className="text-4xl">Add Product</h1>;
}
