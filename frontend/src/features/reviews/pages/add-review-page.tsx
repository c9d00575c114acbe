import { usePageTitle } from '@/lib/use-page-title';

export default function AddReviewPage() {
  usePageTitle('Add Review');
  return <h1 className="text-4xl">Add Review</h1>;
}
