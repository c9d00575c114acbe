import { paths } from '@/lib/paths';
import { pictureSource } from '@/lib/pictures';
import { ButtonLink } from '@/ui/button';
import { homeMessages } from '../pages/messages';

const toCategory = (category: string) => `${paths.shop}?category=${encodeURIComponent(category)}`;

const { offers, delivery, turbos } = homeMessages;

const cards = [
  { ...offers.brakes, picture: '/pictures/promo-brakes-640.webp', to: toCategory('BRAKES') },
  { ...offers.tires, picture: '/pictures/promo-tyres-640.webp', to: toCategory('TIRES') },
] as const;

function ShopNow({ to, what }: { to: string; what: string }) {
  return (
    <ButtonLink to={to}>
      {homeMessages.shopNow} <span className="sr-only">{what}</span>
    </ButtonLink>
  );
}

export function PromoCards() {
  return (
    <section aria-label={offers.label} className="shell grid gap-5 pb-16 lg:grid-cols-2 lg:pb-20">
      {cards.map((card) => (
        <article
          key={card.title}
          data-theme="driveline-dark"
          className="card-surface grid overflow-hidden sm:grid-cols-[1fr_1.2fr]"
        >
          <div className="order-2 flex flex-col items-start justify-center gap-4 p-6 sm:order-1 sm:p-8">
            <h2 className="text-4xl">{card.title}</h2>
            <p className="text-muted">{card.text}</p>
            <ShopNow to={card.to} what={card.what} />
          </div>
          <img
            {...pictureSource(card.picture)}
            sizes="(min-width: 64rem) 28rem, (min-width: 40rem) 52vw, 94vw"
            width={640}
            height={480}
            alt=""
            loading="lazy"
            className="order-1 aspect-4/3 h-full w-full object-cover sm:order-2 sm:[mask-image:linear-gradient(to_left,#000_75%,transparent)]"
          />
        </article>
      ))}
    </section>
  );
}

export function PromoBanner() {
  return (
    <section aria-label={delivery.label} className="bg-primary text-primary-content">
      <div className="ticks opacity-60" aria-hidden="true" />
      <p className="shell py-7 text-center font-display text-3xl leading-tight font-bold text-balance uppercase sm:text-4xl">
        {delivery.text}
      </p>
    </section>
  );
}

export function LargePromo() {
  return (
    <section
      aria-labelledby="large-promo"
      data-theme="driveline-dark"
      className="relative overflow-hidden bg-base-100"
    >
      <img
        src="/pictures/banner-turbo-960.webp"
        srcSet="/pictures/banner-turbo-640.webp 640w, /pictures/banner-turbo-960.webp 960w, /pictures/banner-turbo-1440.webp 1440w"
        sizes="(min-width: 48rem) 75vw, 100vw"
        width={1440}
        height={810}
        alt=""
        loading="lazy"
        className="hero-picture"
      />
      <div className="shell relative flex flex-col items-start gap-5 py-12 md:min-h-[26rem] md:justify-center lg:min-h-[30rem]">
        <h2 id="large-promo" className="max-w-[14ch] text-5xl lg:text-7xl">
          {turbos.title}
        </h2>
        <p className="max-w-md text-lg md:max-w-72 lg:max-w-md">{turbos.text}</p>
        <ShopNow to={`${paths.shop}?q=turbo`} what={turbos.what} />
      </div>
    </section>
  );
}
