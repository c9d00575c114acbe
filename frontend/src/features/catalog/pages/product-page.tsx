import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import type { Person, Product } from '@/api/types';
import { useUser } from '@/features/accounts/session/use-session';
import { formatMoney, totalOf } from '@/lib/money';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Button, ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { PersistentAlert } from '@/ui/persistent-alert';
import { ProductPicture } from '@/ui/product-picture';
import { FRESH, useGetProductQuery } from '../api';
import {
  columns,
  PICTURE_SIZES,
  ProductFrame,
  ProductSkeleton,
} from '../components/product-skeleton';
import { StockBadge, shortageOf } from '../components/stock-badge';
import { dropDraft, readDraft } from '../draft';
import { facts } from '../facts';
import { readUnanswered } from '../unanswered';
import type { Placed } from '../use-purchase';
import { productMessages } from './messages';

/* The form's libraries are no part of looking at a product; they come when somebody reaches for the button. */
const loadBilling = () =>
  import(/* webpackChunkName: "billing" */ '../components/billing-dialog').then((module) => ({
    default: module.BillingDialog,
  }));
const BillingDialog = lazy(loadBilling);

/** If they do not come now, the click asks again and reports the failure. */
const aheadOfClick = () => void loadBilling().catch(() => undefined);

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-base-300 py-3">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right font-semibold">{value}</dd>
    </div>
  );
}

function Purchase({ product, onOpen }: { product: Product; onOpen: () => void }) {
  const shortage = shortageOf(product);
  if (shortage) {
    return (
      <div className="grid gap-2">
        <Button className="btn-lg w-full" disabled aria-describedby="shortage">
          {product.availableQty === 0 ? productMessages.soldOut : productMessages.notEnough}
        </Button>
        <p id="shortage" className="font-semibold text-error">
          {shortage}
        </p>
      </div>
    );
  }
  return (
    <div className="grid gap-2 max-lg:sticky max-lg:bottom-0 max-lg:z-10 max-lg:-mx-4 max-lg:border-t max-lg:border-base-300 max-lg:bg-base-100 max-lg:px-4 max-lg:py-3 md:max-lg:-mx-8 md:max-lg:px-8">
      <Button
        className="btn-lg w-full"
        onClick={onOpen}
        onPointerEnter={aheadOfClick}
        onFocus={aheadOfClick}
        onTouchStart={aheadOfClick}
        aria-haspopup="dialog"
      >
        {productMessages.purchase}
      </Button>
      <p className="text-sm text-muted">
        {productMessages.rule(
          product.minOrder,
          totalOf(product.price, product.minOrder),
          product.availableQty,
        )}
      </p>
    </div>
  );
}

/** Whether the form stands open from the start: it was open before a reload, or was filled in from an earlier order. */
function beginsOpen(product: Product, { email }: Person): boolean {
  if (readUnanswered(product._id, email)) return true;
  return readDraft(product._id, email)?.open === true && shortageOf(product) === null;
}

function PlacedAlert({
  name,
  placed,
  onDismiss,
}: {
  name: string;
  placed: Placed;
  onDismiss: () => void;
}) {
  return (
    <PersistentAlert tone="success" onDismiss={onDismiss}>
      <p className="font-semibold">{productMessages.placed}</p>
      <p className="text-muted">{productMessages.placedSum(placed.quantity, name, placed.total)}</p>
      <p className="mt-1 flex flex-wrap gap-x-6">
        <Link
          className="link-accent inline-flex min-h-11 items-center"
          to={paths.payment(placed.orderId)}
        >
          {productMessages.payNow}
        </Link>
        <Link className="link-accent inline-flex min-h-11 items-center" to={paths.myOrders}>
          {productMessages.myOrders}
        </Link>
      </p>
    </PersistentAlert>
  );
}

function Detail({
  product,
  user,
  onRepeated,
}: {
  product: Product;
  user: Person;
  /** An order was placed that may be counted in what the page shows already, or not. */
  onRepeated: () => void;
}) {
  const [open, setOpen] = useState(() => beginsOpen(product, user));
  const [placed, setPlaced] = useState<Placed | null>(null);
  const close = useCallback(() => setOpen(false), []);

  return (
    <>
      {placed && (
        <PlacedAlert name={product.name} placed={placed} onDismiss={() => setPlaced(null)} />
      )}
      <div className={columns}>
        <div>
          <ProductPicture
            img={product.img}
            alt={product.name}
            sizes={PICTURE_SIZES}
            first
            className="rounded-box border border-base-300"
          />
          <div className="ticks mt-4 text-edge" aria-hidden="true" />
        </div>
        <div className="grid content-start gap-6">
          <div>
            <h1 className="text-4xl normal-case wrap-anywhere sm:text-5xl">{product.name}</h1>
            <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
              <StockBadge product={product} />
              {product.partNumber && (
                <span className="text-muted">
                  {productMessages.partNumber}{' '}
                  <span className="font-semibold text-base-content">{product.partNumber}</span>
                </span>
              )}
            </div>
          </div>
          <p>
            <span className="block text-sm text-muted">{productMessages.price}</span>
            <span className="font-display text-6xl leading-none font-bold">
              {formatMoney(product.price)}
            </span>{' '}
            <span className="text-muted">{productMessages.each}</span>
          </p>
          <dl className="border-t border-base-300">
            {facts.map(({ label, value }) => (
              <Fact key={label} name={label} value={value(product)} />
            ))}
          </dl>
          <div>
            <h2 className="mb-2 text-xl">{productMessages.details}</h2>
            <p className="whitespace-pre-line">{product.description}</p>
          </div>
          <Purchase
            product={product}
            onOpen={() => {
              setPlaced(null);
              setOpen(true);
            }}
          />
        </div>
      </div>
      {open && (
        <Suspense fallback={null}>
          <BillingDialog
            product={product}
            user={user}
            onClose={close}
            onPlaced={(order) => {
              setOpen(false);
              setPlaced(order);
              if (order.repeated) onRepeated();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

export default function ProductPage() {
  const { productId = '' } = useParams();
  const user = useUser();
  const { currentData, error, isError, isFetching, refetch } = useGetProductQuery(productId, {
    refetchOnMountOrArgChange: FRESH,
  });
  usePageTitle(currentData?.name ?? productMessages.title);

  const gone = isError && hasStatus(error, 404);
  useEffect(() => {
    // Nobody will come back to a form for it.
    if (gone) dropDraft(productId);
  }, [gone, productId]);

  // What is known stays on the screen when asking again fails, above all a half-filled form; only a 404 takes it away.
  const content = () => {
    if (gone) {
      return (
        <>
          <h1 className="sr-only">{productMessages.title}</h1>
          <Empty
            title={productMessages.gone}
            action={<ButtonLink to={paths.shop}>{productMessages.shop}</ButtonLink>}
          >
            {productMessages.goneHint}
          </Empty>
        </>
      );
    }
    if (currentData && user) {
      return (
        <Detail
          key={currentData._id}
          product={currentData}
          user={user}
          onRepeated={() => void refetch()}
        />
      );
    }
    return (
      <>
        <h1 className="sr-only">{productMessages.title}</h1>
        {isError && !isFetching ? (
          <ErrorState title={productMessages.failed} error={error} onRetry={refetch} />
        ) : (
          <ProductSkeleton />
        )}
      </>
    );
  };

  return <ProductFrame>{content()}</ProductFrame>;
}
