import { usePageTitle } from '@/lib/use-page-title';

export default function SignupPage() {
  usePageTitle('Sign Up');
  return <h1 className="text-4xl">Sign Up</h1>;
}
