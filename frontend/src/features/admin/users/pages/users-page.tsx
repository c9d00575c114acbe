import { usePageTitle } from '@/lib/use-page-title';

export default function UsersPage() {
  usePageTitle('All Users');
  return <h1 className="text-4xl">All Users</h1>;
}
