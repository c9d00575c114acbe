import { CircleCheck } from 'lucide-react';
import {
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { hasStatus } from '@/api/problem';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { type Payable, useOpenPaymentQuery } from '../api';
import { type CardFormHandle, cardFormOf, type Payer } from '../gateway';
import { messages } from '../messages';

const { card, page } = messages;

export const columns = 'grid items-start gap-6 xl:grid-cols-2';

function FormSkeleton() {
  return (
    <div role="status" aria-label={card.loading} className="grid gap-5">
      <Skeleton className="h-5 w-28" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}

interface CardAreaProps {
  payable: Payable;
  payer: Payer;
  form: Ref<CardFormHandle>;
  onPaid: (transactionId: string) => void;
  onOvertaken: () => void;
}

/** The card form of the provider that is on, and the secret without which it cannot pay. */
function CardArea({ payable, payer, form, onPaid, onOvertaken }: CardAreaProps) {
  const config = useGetConfigQuery();
  const secret = useOpenPaymentQuery(payable);
  const conflict = secret.isError && hasStatus(secret.error, 409);

  useEffect(() => {
    // Paid or cancelled meanwhile: what is paid for knows which.
    if (conflict) onOvertaken();
  }, [conflict, onOvertaken]);

  if (config.isError && !config.isFetching && !config.data) {
    return <ErrorState title={card.failed} error={config.error} onRetry={config.refetch} />;
  }
  if (!config.data) return <FormSkeleton />;
  const CardForm = cardFormOf(config.data);
  if (!CardForm) {
    return <Empty title={card.unavailable}>{card.unavailableHint}</Empty>;
  }
  if (secret.isError && !secret.isFetching) {
    return <ErrorState title={card.notStarted} error={secret.error} onRetry={secret.refetch} />;
  }
  return (
    <Suspense fallback={<FormSkeleton />}>
      <CardForm
        ref={form}
        publicKey={config.data.publishableKey}
        clientSecret={secret.data?.clientSecret ?? null}
        payer={payer}
        amount={formatMoney(payable.price)}
        onPaid={onPaid}
        onOvertaken={onOvertaken}
      />
    </Suspense>
  );
}

/**
 * The end of the road: says that it is paid, under which number, and where to go from here. It stands first, so that a
 * phone shows it at once; on a wide screen it takes the place of the card form.
 */
export function Receipt({
  title,
  view,
  transactionId,
  children,
  fresh = false,
}: {
  title: string;
  /** Leads to what was paid for, and to the list that it is in. */
  view: ReactNode;
  transactionId: string | undefined;
  children?: ReactNode;
  /** Just happened: is read out, and the keyboard goes on from here. */
  fresh?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (fresh) heading.current?.focus();
  }, [fresh]);
  return (
    <section
      role={fresh ? 'alert' : undefined}
      className="card-surface grid content-start gap-4 border-t-4 border-t-success p-4 sm:p-6 xl:order-last"
    >
      <CircleCheck aria-hidden="true" className="size-12 text-success" />
      <h2 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        {title}
      </h2>
      {transactionId && (
        <p>
          <span className="block text-sm text-muted">{messages.receipt.transaction}</span>
          <span className="font-semibold break-all">{transactionId}</span>
        </p>
      )}
      {children}
      <div className="flex flex-wrap gap-3">
        {view}
        <ButtonLink variant="outline" to={paths.shop}>
          {page.shop}
        </ButtonLink>
      </div>
    </section>
  );
}

interface PayingProps {
  payable: Payable;
  payer: Payer;
  /** What is paid for, with the button that leads to the card form, or without once it is paid. */
  summary: (buyNow: ReactNode | null) => ReactNode;
  /** What is said once it is paid. */
  receipt: (transactionId: string) => ReactNode;
  /** Notifies the shop. */
  onPaid: (transactionId: string) => void;
  onStale: () => void;
}

/** What is paid for on one side and the card form on the other; then the receipt. */
export function Paying({ payable, payer, summary, receipt: done, onPaid, onStale }: PayingProps) {
  const area = useRef<HTMLElement>(null);
  const form = useRef<CardFormHandle>(null);
  const awaited = useRef(false);
  const [paidBy, setPaidBy] = useState<string | null>(null);

  // Buy Now may be pressed before the form has come; the cursor then follows it in.
  const takeForm = useCallback((handle: CardFormHandle | null) => {
    form.current = handle;
    if (handle && awaited.current) handle.focus();
    awaited.current = false;
  }, []);

  const buyNow = () => {
    area.current?.scrollIntoView({ block: 'start' });
    awaited.current = form.current === null;
    if (form.current) form.current.focus();
    else area.current?.focus();
  };

  if (paidBy) {
    return (
      <div className={columns}>
        {done(paidBy)}
        {summary(null)}
      </div>
    );
  }
  return (
    <div className={columns}>
      {summary(<Button onClick={buyNow}>{page.buyNow}</Button>)}
      <section
        ref={area}
        tabIndex={-1}
        aria-labelledby="card-title"
        className="card-surface grid scroll-mt-20 content-start gap-6 p-4 outline-none sm:p-6"
      >
        <h2 id="card-title" className="text-3xl">
          {card.heading}
        </h2>
        <CardArea
          payable={payable}
          payer={payer}
          form={takeForm}
          onPaid={(transactionId) => {
            setPaidBy(transactionId);
            onPaid(transactionId);
          }}
          onOvertaken={onStale}
        />
      </section>
    </div>
  );
}

export function PayingSkeleton({ label = page.loading }: { label?: string }) {
  return (
    <div role="status" aria-label={label} className={columns}>
      <div className="card-surface grid gap-5 p-6">
        <Skeleton className="aspect-4/3 w-full rounded-field sm:w-56" />
        <Skeleton className="h-9 w-2/3" />
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-11 w-40" />
      </div>
      <div className="card-surface p-6">
        <Skeleton className="h-64 w-full" />
      </div>
    </div>
  );
}
