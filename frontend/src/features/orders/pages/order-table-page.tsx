import { usePageTitle } from '@/lib/use-page-title';

export default function OrderTablePage() {
  usePageTitle('Order Table');
  return <h1 className="text-4xl">Order Table</h1>;
}
