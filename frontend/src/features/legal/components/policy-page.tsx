import { Link } from 'react-router-dom';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { usePageTitle } from '@/lib/use-page-title';
import { Alert } from '@/ui/alert';
import { contactMessages, type Policy, type Section, type UnpaidOrders } from '../messages';
import { ContactFacts } from './contact-facts';

/** The settings of an operator who changed none: they say how much room a paragraph needs before it is known. */
const USUAL: UnpaidOrders = { minutes: 1440, minutesForNewAccounts: 60, mostForNewAccounts: 20 };

/** A paragraph that is read only once it is known to be true. */
function SetByOperator({ paragraph }: { paragraph: (rules: UnpaidOrders) => string }) {
  const { data } = useGetConfigQuery();
  if (data) return <p>{paragraph(data.unpaidOrders)}</p>;
  return <p className="invisible">{paragraph(USUAL)}</p>;
}

function Part({ section: { heading, text, steps, facts, links } }: { section: Section }) {
  return (
    <section className="grid gap-3">
      <h2 className="text-2xl">{heading}</h2>
      {text?.map((paragraph) =>
        typeof paragraph === 'string' ? (
          <p key={paragraph}>{paragraph}</p>
        ) : (
          <SetByOperator key={paragraph(USUAL)} paragraph={paragraph} />
        ),
      )}
      {steps && (
        <ol className="grid gap-3">
          {steps.map((step) => (
            <li key={step} className="border-l-4 border-primary pl-5">
              {step}
            </li>
          ))}
        </ol>
      )}
      {facts && (
        <dl>
          {facts.map(({ name, value }) => (
            <div key={name} className="border-t border-base-300 py-4">
              <dt className="font-semibold">{name}</dt>
              <dd className="mt-1 text-muted">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {links && (
        <p className="flex flex-wrap gap-6">
          {links.map(({ to, label }) => (
            <Link key={to} className="link-accent" to={to}>
              {label}
            </Link>
          ))}
        </p>
      )}
    </section>
  );
}

/** Nobody may take a demo for a shop, least of all on the pages that say what can be relied on. */
function DemoNote() {
  const { data } = useGetConfigQuery();
  if (data?.paymentProvider !== 'sandbox') return null;
  return (
    <Alert tone="info" className="mb-8">
      {contactMessages.demo}
    </Alert>
  );
}

/**
 * One of the pages that say what customers can rely on, with the way to reach the shop beside it, or before it where that is
 * what the page is about.
 */
export function PolicyPage({
  policy,
  contactFirst = false,
}: {
  policy: Policy;
  contactFirst?: boolean;
}) {
  usePageTitle(policy.heading);
  const aside = (
    <aside aria-label={contactMessages.details}>
      {!contactFirst && <h2 className="mb-3 text-2xl">{contactMessages.aside}</h2>}
      <ContactFacts />
    </aside>
  );
  return (
    <div className="shell py-16 lg:py-20">
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{policy.heading}</h1>
      <p className="mb-8 max-w-prose text-lg">{policy.intro}</p>
      <DemoNote />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-16">
        {contactFirst && aside}
        <div className="grid max-w-prose content-start gap-10">
          {policy.sections.map((section) => (
            <Part key={section.heading} section={section} />
          ))}
        </div>
        {!contactFirst && aside}
      </div>
    </div>
  );
}
