import { usePageTitle } from '@/lib/use-page-title';

export default function NotFoundPage() {
  usePageTitle('Page not found');
  return <h1 className="text-4xl">Page not found</h1>;
}
