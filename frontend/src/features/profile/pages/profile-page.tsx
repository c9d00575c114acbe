import { usePageTitle } from '@/lib/use-page-title';

export default function ProfilePage() {
  usePageTitle('My Profile');
  return <h1 className="text-4xl">My Profile</h1>;
}
