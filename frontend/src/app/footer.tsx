import { Link, useLocation } from 'react-router-dom';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { useUser } from '@/features/accounts/session/use-session';
import { NewsletterBox } from '@/features/newsletter/newsletter-box';
import { categories } from '@/lib/categories';
import { paths } from '@/lib/paths';
import { phoneLink } from '@/lib/phone-link';
import { Brand } from './brand';
import { messages } from './late-messages';
import { isUnderDashboard, linkTo } from './screens';

const siteLinks = [linkTo('shop'), linkTo('about')];
const helpLinks = [
  { to: paths.contact, label: messages.contact },
  { to: paths.shipping, label: messages.shipping },
  { to: paths.returnPolicy, label: messages.returns },
  { to: paths.terms, label: messages.terms },
  { to: paths.privacy, label: messages.privacy },
];
const visitorLinks = [linkTo('login'), linkTo('signup')];
const userLinks = [{ to: paths.dashboard, label: messages.dashboard }];

const link = 'inline-flex min-h-11 items-center text-muted hover:text-base-content hover:underline';

/** Who sells here. What moves when it arrives lies below the first screen, and without it the footer is whole too. */
function Company() {
  const { data } = useGetConfigQuery();
  if (!data) return null;
  const { company, email, phone } = data.shop;
  return (
    <div className="mt-2">
      {company && <p className="text-muted">{company}</p>}
      {email && (
        <p>
          <a className={link} href={`mailto:${email}`}>
            {email}
          </a>
        </p>
      )}
      {phone && (
        <p>
          <a className={link} href={phoneLink(phone)}>
            {phone}
          </a>
        </p>
      )}
    </div>
  );
}

function HelpLinks({ className }: { className?: string }) {
  return (
    <ul className={className}>
      {helpLinks.map(({ to, label }) => (
        <li key={to}>
          <Link className={link} to={to}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Where somebody is at work: what has to be there, in one line. */
function SlimFooter() {
  return (
    <div className="shell flex flex-wrap items-center justify-between gap-x-6 py-4">
      <p className="text-muted">{messages.tagline}</p>
      <nav aria-label={messages.help}>
        <HelpLinks className="flex flex-wrap gap-x-6" />
      </nav>
    </div>
  );
}

function FullFooter() {
  const user = useUser();
  const links = [...siteLinks, ...(user ? userLinks : visitorLinks)];
  return (
    <div className="shell grid grid-cols-2 gap-10 py-12 md:grid-cols-3 lg:grid-cols-[1.2fr_1fr_1fr_1fr_1.6fr]">
      <div className="max-md:col-span-2">
        <Brand />
        <p className="mt-2 text-muted">{messages.tagline}</p>
        <Company />
      </div>
      <nav aria-label={messages.site}>
        <h2 className="mb-3 text-lg">{messages.brand}</h2>
        <ul>
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link className={link} to={to}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label={messages.help}>
        <h2 className="mb-3 text-lg">{messages.help}</h2>
        <HelpLinks />
      </nav>
      <nav aria-label={messages.categories}>
        <h2 className="mb-3 text-lg">{messages.categories}</h2>
        <ul>
          {categories.slice(0, 6).map((category) => (
            <li key={category.value}>
              <Link
                className={link}
                to={`${paths.shop}?category=${encodeURIComponent(category.value)}`}
              >
                {category.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="col-span-full max-w-lg lg:col-span-1">
        <NewsletterBox />
      </div>
    </div>
  );
}

export function Footer() {
  const { pathname } = useLocation();
  return (
    <footer data-theme="driveline-dark" className="site-frame mt-auto bg-base-100">
      <div className="ticks text-base-300" aria-hidden="true" />
      {isUnderDashboard(pathname) ? <SlimFooter /> : <FullFooter />}
    </footer>
  );
}
