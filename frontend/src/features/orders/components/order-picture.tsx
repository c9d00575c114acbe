import { ProductPicture } from '@/ui/product-picture';

/** The picture of what was ordered, beside the name that says the same. */
export function OrderPicture({ img }: { img: string }) {
  return (
    <ProductPicture
      img={img}
      alt=""
      sizes="(min-width: 40rem) 14rem, 94vw"
      className="self-start rounded-field"
    />
  );
}
