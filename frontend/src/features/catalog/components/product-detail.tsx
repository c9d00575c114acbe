import { Suspense, useCallback, useEffect, useState } from 'react';
import type { Part } from '@/api/parts';
import type { FitAnswer, Person, Product } from '@/api/types';
import { askedVehicle } from '@/features/fitment/components/fit-banner';
import { fitMessages } from '@/features/fitment/messages';
import { usePersonalPrices } from '@/features/pricing/use-personal-prices';
import { paths } from '@/lib/paths';
import { remember, VIEWED } from '@/lib/recent';
import { retryingLazy } from '@/lib/retrying-lazy';
import { useClampedQuantity } from '@/lib/use-clamped-quantity';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { readDraft } from '../draft';
import { factsOf } from '../facts';
import { productMessages as messages } from '../pages/messages';
import { readUnanswered } from '../unanswered';
import type { Placed, VehicleOfOrder } from '../use-purchase';
import { BuyBox } from './buy-box';
import { PlacedAlert } from './placed-alert';
import { ProductGallery } from './product-gallery';
import { AverageRating } from './product-reviews';
import { columns } from './product-skeleton';
import { shortageOf } from './stock-badge';

/* The form's libraries are no part of looking at a product; they come when somebody reaches for the button. */
const loadBilling = () =>
  import(/* webpackChunkName: "billing" */ './billing-dialog').then((module) => ({
    default: module.BillingDialog,
  }));
const BillingDialog = retryingLazy(loadBilling);

/** If they do not come now, the click asks again and reports the failure. */
const aheadOfClick = () => void loadBilling().catch(() => undefined);

/** Whether the form is open from the start: it was open before a reload, or was filled in from an earlier order. */
function beginsOpen(product: Product, { email }: Person): boolean {
  if (readUnanswered(product._id, email)) return true;
  return readDraft(product._id, email)?.open === true && shortageOf(product) === null;
}

function ProductText({ product }: { product: Part }) {
  return (
    <>
      <div>
        <h2 className="mb-2 text-xl">{messages.details}</h2>
        <p className="whitespace-pre-line">{product.description}</p>
      </div>
      <dl className="border-t border-base-300">
        {factsOf(product).map(({ label, value }) => (
          <div
            key={label}
            className="flex items-baseline justify-between gap-4 border-b border-base-300 py-3"
          >
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface ProductDetailProps {
  product: Part;
  user: Person;
  /** What is said of the part and the vehicle that was chosen, and the conditions that were ticked. */
  fit?: FitAnswer | undefined;
  confirmed?: readonly number[];
  /** An order was placed that may be counted in what the page shows already, or not. */
  onRepeated: () => void;
}

/** The vehicle as an order takes it. */
function orderedFor({ vehicle, engine }: FitAnswer, confirmed: readonly number[]): VehicleOfOrder {
  return {
    id: vehicle.id,
    ...(engine ? { engine: engine.id } : {}),
    ...(confirmed.length > 0 ? { confirmed: [...confirmed] } : {}),
  };
}

/** A product with all that is known of it, and the way to order it. */
export function ProductDetail({
  product: listed,
  user,
  fit,
  confirmed = [],
  onRepeated,
}: ProductDetailProps) {
  const { product, listAt } = usePersonalPrices(listed, user.email);
  const { _id: id, name, partNumber, img, images = [img], minOrder, availableQty, brand } = product;
  const [open, setOpen] = useState(() => beginsOpen(product, user));
  const [placed, setPlaced] = useState<Placed | null>(null);
  const [kept] = useState(() => readDraft(id, user.email)?.quantity);
  const quantity = useClampedQuantity(minOrder, availableQty, kept);
  /** What the form begins with, once it was opened by the button; before that it goes on with its draft. */
  const [chosen, setChosen] = useState<string>();
  const { change, reset, settle } = quantity;
  useEffect(() => {
    remember(VIEWED, user.email, {
      to: paths.product(id),
      label: name,
      img,
      ...(partNumber ? { detail: partNumber } : {}),
    });
  }, [id, name, img, partNumber, user.email]);
  const close = useCallback(
    (typed: string) => {
      setOpen(false);
      change(typed);
    },
    [change],
  );

  /** The vehicle that does not fit, while it is asked whether it is meant, and the last of which it was. */
  const [asks, setAsks] = useState(false);
  const [meant, setMeant] = useState<string>();
  const unfit = fit?.verdict === 'no' ? askedVehicle(fit) : undefined;

  const purchase = (sure = false) => {
    if (unfit !== undefined && unfit !== meant && !sure) {
      setAsks(true);
      return;
    }
    setChosen(String(settle()));
    setPlaced(null);
    setOpen(true);
  };

  return (
    <>
      {placed && <PlacedAlert name={name} placed={placed} onDismiss={() => setPlaced(null)} />}
      <div className={columns}>
        <div>
          <ProductGallery id={id} name={name} images={images} />
          <div className="ticks mt-4 text-edge" aria-hidden="true" />
        </div>
        <div className="grid content-start gap-5">
          <div>
            <h1 className="text-4xl normal-case wrap-anywhere sm:text-5xl">{name}</h1>
            <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
              {brand && <p className="font-semibold">{brand}</p>}
              {partNumber && (
                <p className="text-muted">
                  {messages.partNumber}{' '}
                  <span className="font-semibold text-base-content">{partNumber}</span>
                </p>
              )}
              <AverageRating id={id} />
            </div>
          </div>
          <BuyBox
            product={product}
            quantity={quantity}
            listAt={listAt}
            onReach={aheadOfClick}
            onPurchase={() => purchase()}
          />
        </div>
        <ProductText product={product} />
      </div>
      {asks && unfit !== undefined && (
        <ConfirmDialog
          open
          title={fitMessages.order.title}
          question={fitMessages.order.question(unfit)}
          note={fitMessages.order.note}
          confirm={fitMessages.order.confirm}
          cancel={fitMessages.order.cancel}
          onClose={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            setMeant(unfit);
            purchase(true);
          }}
        />
      )}
      {open && (
        <Suspense fallback={null}>
          <BillingDialog
            product={product}
            user={user}
            chosen={chosen}
            vehicle={fit && orderedFor(fit, confirmed)}
            onClose={close}
            onPlaced={(order) => {
              setOpen(false);
              setPlaced(order);
              reset();
              if (order.repeated) onRepeated();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
