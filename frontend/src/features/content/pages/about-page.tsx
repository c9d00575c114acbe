import { usePageTitle } from '@/lib/use-page-title';

export default function AboutPage() {
  usePageTitle('About');
  return <h1 className="text-4xl">About</h1>;
}
