import { usePageTitle } from '@/lib/use-page-title';

export default function BlogPage() {
  usePageTitle('Blog');
  return <h1 className="text-4xl">Blog</h1>;
}
