import { useLocation } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { ButtonLink } from '@/ui/button';
import { notFoundMessages as messages } from '../messages';
import { isWritten, Written } from '../written';

/** What is no screen of the client's own: a page that the server writes, or none. */
export default function NotFoundPage() {
  const { pathname } = useLocation();
  return isWritten(pathname) ? <Written pathname={pathname} /> : <NotFound />;
}

function NotFound() {
  usePageTitle(messages.title);
  return (
    <section
      data-theme="driveline-dark"
      className="relative min-h-[calc(100dvh-4rem)] overflow-hidden bg-base-100"
    >
      <img
        src="/pictures/hero-brakes-960.webp"
        srcSet="/pictures/hero-brakes-640.webp 640w, /pictures/hero-brakes-960.webp 960w, /pictures/hero-brakes-1440.webp 1440w"
        sizes="(min-width: 48rem) 75vw, 100vw"
        width={1440}
        height={810}
        alt=""
        className="hero-picture"
      />
      <div className="shell relative flex flex-col items-start gap-6 py-12 md:min-h-[calc(100dvh-4rem)] md:justify-center">
        <p
          aria-hidden="true"
          className="font-display text-[clamp(6rem,20vw,15rem)] leading-[0.8] font-bold text-primary"
        >
          {messages.code}
        </p>
        <div className="ticks w-full max-w-md text-edge" aria-hidden="true" />
        <h1 className="text-4xl sm:text-6xl md:max-w-[12em]">{messages.heading}</h1>
        <p className="max-w-md text-lg">{messages.text}</p>
        <ButtonLink to={paths.home} className="btn-lg">
          {messages.home}
        </ButtonLink>
      </div>
    </section>
  );
}
