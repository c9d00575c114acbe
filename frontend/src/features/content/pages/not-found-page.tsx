import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { ButtonLink } from '@/ui/button';

export default function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <div className="shell grid min-h-[70dvh] content-center justify-items-start gap-6 py-16">
      <p
        aria-hidden="true"
        className="font-display text-[clamp(7rem,26vw,18rem)] leading-[0.8] font-bold text-primary"
      >
        404
      </p>
      <div className="ticks w-full max-w-2xl text-edge" aria-hidden="true" />
      <h1 className="text-4xl sm:text-6xl">OPSS! PAGE NOT FOUND</h1>
      <p className="text-lg text-muted">Sorry, the page you're looking for doesn't exist.</p>
      <ButtonLink to={paths.home} className="btn-lg">
        Return home
      </ButtonLink>
    </div>
  );
}
