import { Formik, type FormikHelpers, useFormikContext } from 'formik';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type Problem, problemOf } from '@/api/problem';
import type { Person } from '@/api/types';
import { useSaveAddressMutation } from '@/features/addresses/api';
import { addressValues } from '@/features/addresses/format';
import type { BookAddress, Country } from '@/features/addresses/wire';
import { type BasketLine, goodsOf, useBasketChanges } from '@/features/basket/use-basket';
import { buyingPaths } from '@/lib/buying-paths';
import { CARD_MAX, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { DRAFTS, removeStored } from '@/lib/tab-storage';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { Form, TextAreaField, TextField } from '@/ui/form';
import { KeepDraft, useFormDraft } from '@/ui/form-draft';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import {
  blankCheckout,
  type CheckoutValues,
  faultsOf,
  fieldOf,
  lengthOf,
  requestOf,
  termsOf,
  termsOffered,
} from '../form';
import { checkoutMessages as messages } from '../messages';
import { sentLines, useCheck } from '../use-check';
import { type Outcome, usePlacing } from '../use-placing';
import type { CheckoutCheck } from '../wire';
import { CheckoutLines } from './checkout-lines';
import { ChoiceList } from './choice-list';
import { DeliveryFields } from './delivery-fields';
import { Agreement, dueOf, Summary } from './summary';

export const checkoutColumns =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]';

const DRAFT = 'checkout';

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby={id}
      className="card-surface grid grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-6"
    >
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function ContactFields({ email }: { email: string }) {
  const { contact } = messages;
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        name="name"
        label={contact.name}
        autoComplete="shipping name"
        maxLength={lengthOf('name')}
        required
      />
      <TextField
        name="phone"
        label={contact.phone}
        type="tel"
        hint={contact.phoneHint}
        autoComplete="shipping tel"
        maxLength={lengthOf('phone')}
        required
      />
      <div className="sm:col-span-2">
        <Field label={contact.email} hint={contact.emailHint}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              type="email"
              className="input bg-base-200!"
              value={email}
              readOnly
            />
          )}
        </Field>
      </div>
    </div>
  );
}

function Freight({ check }: { check: CheckoutCheck | undefined }) {
  const { freight } = messages;
  const { values, setFieldValue } = useFormikContext<CheckoutValues>();
  if (!check) return <p className="text-muted">{freight.waiting}</p>;
  if (check.shippingMethods.length === 0) return <p>{freight.included}</p>;
  const chosen = check.shippingMethod ?? check.shippingMethods[0]?._id ?? '';
  const priceOf = (price: number | null) =>
    price === null ? freight.quoted : price === 0 ? freight.free : formatMoney(price);
  return (
    <ChoiceList
      name="shippingMethod"
      label={freight.heading}
      value={values.shippingMethod || chosen}
      options={check.shippingMethods.map(({ _id, name, price }) => ({
        value: _id,
        label: name,
        end: priceOf(price),
        hint: price === null ? freight.quoteHint : undefined,
      }))}
      onChoose={(value) => void setFieldValue('shippingMethod', value)}
    />
  );
}

function TermsChoice({ check, due }: { check: CheckoutCheck | undefined; due: number }) {
  const { terms } = messages;
  const { values, setFieldValue } = useFormikContext<CheckoutValues>();
  return (
    <>
      <ChoiceList
        name="terms"
        label={terms.heading}
        value={termsOf(values, check)}
        options={termsOffered(check).map((each) => ({
          value: each,
          label: terms[each],
          hint: each === 'card' ? terms.cardHint : terms.accountHint,
        }))}
        onChoose={(value) => void setFieldValue('terms', value)}
      />
      {due > CARD_MAX && <Alert tone="info">{terms.tooMuch}</Alert>}
    </>
  );
}

/** Why it was not placed, as far as no field says it. */
function Failure({ failure, refusedLines }: { failure: string | null; refusedLines: number }) {
  if (refusedLines > 0) return <Alert tone="error">{messages.lines.refused(refusedLines)}</Alert>;
  return failure === null ? null : (
    <Alert tone="error">
      <p>{failure}</p>
      <p className="text-muted">{messages.nothingPlaced}</p>
    </Alert>
  );
}

interface CheckoutFormProps {
  user: Person;
  lines: readonly BasketLine[];
  countries: readonly Country[];
  book: readonly BookAddress[];
}

/** What becomes of a checkout: where its buyer is led, and what is tidied up behind them. */
function useAftermath() {
  const navigate = useNavigate();
  const changes = useBasketChanges();
  const [saveAddress] = useSaveAddressMutation();
  return async ({ placed, body }: Outcome, values: CheckoutValues) => {
    if (!placed) return;
    removeStored(DRAFTS + DRAFT);
    if (values.saveAddress === 'yes' && body.contact) {
      const { name, phone } = body.contact;
      void saveAddress({ address: { ...body.address, name, phone, isDefault: false } }).then(
        ({ error }) => {
          if (error) notify.error(messages.address.notSaved(problemOf(error).message));
        },
      );
    }
    const bought = placed.lines.map(({ productId }) => productId);
    await changes.drop(bought.length > 0 ? bought : body.lines.map(({ productId }) => productId));
    const [only] = placed.lines;
    const byCard = body.terms === 'card' && placed.due !== null && placed.due <= CARD_MAX;
    if (placed.checkoutId) {
      const { checkoutId } = placed;
      navigate(byCard ? buyingPaths.payPurchase(checkoutId) : buyingPaths.purchase(checkoutId), {
        state: { placed: true },
        replace: true,
      });
    } else if (only) {
      navigate(byCard ? paths.payment(only.orderId) : paths.order(only.orderId), {
        replace: true,
      });
    }
  };
}

/** What the shop said last, and how to ask again. */
type Latest = Pick<ReturnType<typeof useCheck>, 'data' | 'retry'>;

interface BodyProps extends CheckoutFormProps {
  placing: ReturnType<typeof usePlacing>;
  failure: string | null;
  /** Called with what the shop said last, and how to ask again, for the submit. */
  onCheck: (check: Latest) => void;
  onRetry: () => void;
}

function Body({ user, lines, countries, book, placing, failure, onCheck, onRetry }: BodyProps) {
  const { values } = useFormikContext<CheckoutValues>();
  const check = useCheck(values, countries, lines);
  const goods = goodsOf(lines);
  const due = dueOf(check.data, goods);
  const refused = check.data?.refused.length ?? 0;
  useEffect(() => onCheck(check));
  const { isLoading, isUnanswered } = placing;
  return (
    <Form className={checkoutColumns}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Section id="contact" title={messages.contact.heading}>
          <ContactFields email={user.email} />
        </Section>
        <Section id="address" title={messages.address.heading}>
          <DeliveryFields countries={countries} book={book} />
        </Section>
        <Section id="order" title={messages.order.heading}>
          <TextField
            name="poNumber"
            label={messages.order.poNumber}
            hint={messages.order.poHint}
            maxLength={lengthOf('poNumber')}
            autoComplete="off"
          />
          <TextAreaField
            name="note"
            label={messages.order.note}
            hint={messages.order.noteHint}
            rows={2}
            maxLength={lengthOf('note')}
          />
        </Section>
        <Section id="freight" title={messages.freight.heading}>
          <Freight check={check.data} />
        </Section>
        <Section id="terms" title={messages.terms.heading}>
          <TermsChoice check={check.data} due={due} />
        </Section>
        <Section id="parts" title={messages.lines.heading}>
          <CheckoutLines lines={lines} check={check.data} />
        </Section>
      </div>
      <section
        aria-labelledby="summary"
        className="card-surface grid grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-6 sticky top-20"
      >
        <h2 id="summary" className="text-2xl">
          {messages.summary.heading}
        </h2>
        <Summary goods={goods} check={check} />
        {isUnanswered ? (
          <Alert tone="error">
            <p>{messages.noAnswer}</p>
            <p className="text-muted">{messages.safeToRetry}</p>
          </Alert>
        ) : (
          <Failure failure={failure} refusedLines={refused} />
        )}
        <Agreement />
        {isUnanswered ? (
          // In place of the other: until it is known what became of the order, there is nothing else to do.
          <Button className="btn-lg w-full" onClick={onRetry}>
            {messages.retry}
          </Button>
        ) : (
          <Button
            type="submit"
            data-commands
            className="btn-lg h-auto w-full py-3"
            busy={isLoading}
            disabled={lines.length === 0}
          >
            {check.data?.due == null ? messages.placeShort : messages.place(due)}
          </Button>
        )}
      </section>
    </Form>
  );
}

/** The checkout's form: what was typed survives a reload and a refusal. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { user, lines, countries, book } = props;
  const placing = usePlacing(user.email);
  const finish = useAftermath();
  const [failure, setFailure] = useState<string | null>(null);
  const latest = useRef<Latest>(undefined);
  const [onCheck] = useState(() => (check: Latest) => {
    latest.current = check;
  });
  const blank = useMemo((): CheckoutValues => {
    const usual = book.find(({ isDefault }) => isDefault) ?? book[0];
    return {
      ...blankCheckout,
      name: usual?.name ?? user.displayName,
      phone: usual?.phone ?? '',
      ...(usual ? addressValues(usual) : {}),
      kept: usual?._id ?? '',
    };
  }, [book, user.displayName]);
  const [initial] = useState(blank);
  const draft = useFormDraft(DRAFT, user.email, initial);

  const refused = (
    problem: Problem,
    values: CheckoutValues,
    helpers: FormikHelpers<CheckoutValues>,
  ) => {
    if (problem.status === 401) {
      notify.error(messages.sessionEnded);
      return;
    }
    setFailure(takeRefusal(problem, values, helpers, undefined, fieldOf));
    // Prices and stock may be others than the page knows: the lines say so once they are asked for.
    latest.current?.retry();
  };

  const submit = async (values: CheckoutValues, helpers: FormikHelpers<CheckoutValues>) => {
    setFailure(null);
    const known = latest.current?.data;
    if (known && known.refused.length > 0) {
      document.querySelector<HTMLElement>('[data-refused]')?.focus();
      return;
    }
    const shown = new Map(known?.lines.map((line) => [line.productId, line.price]));
    const asShown = sentLines(lines).map((line) => {
      const price = shown.get(line.productId) ?? line.price;
      return { ...line, ...(price === undefined ? {} : { price }) };
    });
    const methods = known?.shippingMethods ?? [];
    const body = requestOf(
      { ...values, terms: termsOf(values, known) },
      countries,
      asShown,
      methods,
      user.email,
    );
    const outcome = await placing.send(body);
    if (outcome.refused) refused(outcome.refused, values, helpers);
    await finish(outcome, values);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={draft ?? initial}
      validate={(values) => faultsOf(values, countries)}
      onSubmit={submit}
    >
      {({ values, ...helpers }) => (
        <>
          <KeepDraft name={DRAFT} owner={user.email} blank={initial} />
          <Body
            {...props}
            placing={placing}
            failure={failure}
            onCheck={onCheck}
            onRetry={() => {
              void placing.retry()?.then((outcome) => {
                if (outcome.refused) {
                  refused(outcome.refused, values, helpers as FormikHelpers<CheckoutValues>);
                }
                return finish(outcome, values);
              });
            }}
          />
        </>
      )}
    </Formik>
  );
}
