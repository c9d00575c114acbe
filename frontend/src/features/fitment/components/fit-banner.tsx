import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FitAnswer } from '@/api/types';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Skeleton } from '@/ui/skeleton';
import { fitMessages as messages } from '../messages';

const tones = {
  good: { icon: CircleCheck, textColor: 'text-success', edge: 'border-l-success' },
  open: { icon: CircleHelp, textColor: 'text-warning', edge: 'border-l-warning' },
  bad: { icon: CircleAlert, textColor: 'text-error', edge: 'border-l-error' },
} as const;

function Banner({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  const { icon: Icon, textColor, edge } = tones[tone];
  return (
    <section
      aria-label={messages.heading}
      className={cx('card-surface mb-8 flex gap-3 border-l-4 p-4', edge)}
    >
      <Icon aria-hidden="true" className={cx('mt-0.5 size-6 shrink-0', textColor)} />
      <div className="grid min-w-0 gap-2">{children}</div>
    </section>
  );
}

/** The sentence of a verdict, which is read out when it changes. */
function Sentence({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="text-xl font-semibold">
      {children}
    </p>
  );
}

/** The vehicle with its engine, as it is spoken of. */
export const askedVehicle = ({ vehicle, engine }: FitAnswer) =>
  engine ? `${vehicle.label} ${engine.name}` : vehicle.label;

function Reasons({ fit: { because } }: { fit: FitAnswer }) {
  const said = because.map(({ position, perVehicle, source, date }) =>
    [messages.where(position ?? '', perVehicle), messages.source(source, date)]
      .filter(Boolean)
      .join(' · '),
  );
  return (
    <ul className="text-sm text-muted empty:hidden">
      {[...new Set(said)].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Engines({ fit, onEngine }: { fit: FitAnswer; onEngine: (engine: number) => void }) {
  return (
    <Banner tone="open">
      <Sentence>{messages.ask}</Sentence>
      <p>{messages.askWhy(fit.vehicle.label)}</p>
      <div className="flex flex-wrap gap-2">
        {fit.engines.map(({ id, name }) => (
          <Button key={id} variant="outline" onClick={() => onEngine(id)}>
            {name}
          </Button>
        ))}
      </div>
    </Banner>
  );
}

interface ConditionsProps {
  fit: FitAnswer;
  confirmed: readonly number[];
  onConfirm: (conditions: number[]) => void;
}

function Conditions({ fit, confirmed, onConfirm }: ConditionsProps) {
  return (
    <Banner tone="open">
      <Sentence>{messages.if(fit.conditions.map(({ text }) => text).join('; '))}</Sentence>
      <p>{messages.ifHint}</p>
      {fit.conditions.map(({ id, text }) => (
        <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            className="checkbox"
            checked={confirmed.includes(id)}
            onChange={({ target }) =>
              onConfirm(
                target.checked ? [...confirmed, id] : confirmed.filter((each) => each !== id),
              )
            }
          />
          {text}
        </label>
      ))}
      <Reasons fit={fit} />
    </Banner>
  );
}

interface FitBannerProps {
  /** What the shop says; undefined while it has not. */
  fit: FitAnswer | undefined;
  failed: boolean;
  onRetry: () => void;
  onEngine: (engine: number) => void;
  /** The conditions that were ticked. */
  confirmed: readonly number[];
  onConfirm: (conditions: number[]) => void;
}

/** Whether the part fits the vehicle that was chosen, before all else that is said of it. */
export function FitBanner({
  fit,
  failed,
  onRetry,
  onEngine,
  confirmed,
  onConfirm,
}: FitBannerProps) {
  if (!fit) {
    if (!failed) {
      return (
        <div role="status" aria-label={messages.loading} className="mb-8">
          <Skeleton className="h-20 w-full" />
        </div>
      );
    }
    return (
      <Banner tone="open">
        <p role="alert">{messages.failed}</p>
        <Button variant="outline" className="justify-self-start" onClick={onRetry}>
          {messages.retry}
        </Button>
      </Banner>
    );
  }
  switch (fit.verdict) {
    case 'ask':
      return <Engines fit={fit} onEngine={onEngine} />;
    case 'if':
      return <Conditions fit={fit} confirmed={confirmed} onConfirm={onConfirm} />;
    case 'no':
      return (
        <Banner tone="bad">
          <Sentence>{messages.no(askedVehicle(fit))}</Sentence>
          {fit.nearest.length > 0 && (
            <p>{messages.nearest(fit.nearest.map(({ label }) => label).join('; '))}</p>
          )}
        </Banner>
      );
    case 'unknown':
      return (
        <Banner tone="open">
          <Sentence>{messages.unknown}</Sentence>
        </Banner>
      );
    default:
      return (
        <Banner tone="good">
          <Sentence>
            {fit.verdict === 'universal' ? messages.universal : messages.yes(askedVehicle(fit))}
          </Sentence>
          <Reasons fit={fit} />
        </Banner>
      );
  }
}
