import { Benefits } from '@/features/catalog/components/benefits';
import { paths } from '@/lib/paths';
import { pictureSource } from '@/lib/pictures';
import { ButtonLink } from '@/ui/button';
import { aboutMessages as messages } from '../messages';

const { principles, steps, turbos, terms, start } = messages;

function Banner() {
  return (
    <section data-theme="driveline-dark" className="relative overflow-hidden bg-base-100">
      <img
        src="/pictures/hero-wheel-960.webp"
        srcSet="/pictures/hero-wheel-640.webp 640w, /pictures/hero-wheel-960.webp 960w, /pictures/hero-wheel-1440.webp 1440w"
        sizes="(min-width: 48rem) 75vw, 100vw"
        width={1440}
        height={810}
        alt=""
        fetchPriority="high"
        className="hero-picture"
      />
      <div className="shell relative flex flex-col items-start gap-5 py-12 md:min-h-[24rem] md:justify-center lg:min-h-[30rem]">
        <h1 className="text-5xl sm:max-w-[8em] lg:text-8xl">{messages.heading}</h1>
        <p className="max-w-md text-lg md:max-w-72 lg:max-w-md">{messages.intro}</p>
      </div>
    </section>
  );
}

function Principles() {
  return (
    <section aria-labelledby="principles" className="shell py-16 lg:py-20">
      <h2 id="principles" className="heading-mark mb-10 text-4xl sm:text-5xl">
        {principles.heading}
      </h2>
      <div className="grid gap-10 lg:grid-cols-3">
        {principles.items.map(({ title, text }) => (
          <div key={title}>
            <div className="ticks mb-5 text-edge" aria-hidden="true" />
            <h3 className="mb-3 text-2xl">{title}</h3>
            <p className="text-muted">{text}</p>
          </div>
        ))}
      </div>
    </section>
  );
}

function Steps() {
  return (
    <section aria-labelledby="steps" className="border-y border-base-300 bg-base-200">
      <div className="shell py-16 lg:py-20">
        <h2 id="steps" className="heading-mark mb-10 text-4xl sm:text-5xl">
          {steps.heading}
        </h2>
        <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
          {steps.items.map(({ title, text }, index) => (
            <li key={title} className="border-l-4 border-primary pl-5">
              <p
                aria-hidden="true"
                className="font-display text-5xl leading-none font-bold text-accent"
              >
                {index + 1}
              </p>
              <h3 className="mt-3 mb-2 text-2xl">{title}</h3>
              <p className="text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Turbos() {
  return (
    <section
      aria-labelledby="turbos"
      className="shell grid items-center gap-10 py-16 lg:grid-cols-2 lg:gap-16 lg:py-20"
    >
      <img
        {...pictureSource('/pictures/parts/turbo-20-diesel-960.webp')}
        sizes="(min-width: 64rem) 36rem, 94vw"
        width={640}
        height={480}
        alt={turbos.picture}
        loading="lazy"
        className="aspect-4/3 w-full rounded-box bg-backdrop object-cover"
      />
      <div>
        <h2 id="turbos" className="heading-mark mb-4 text-4xl sm:text-5xl">
          {turbos.heading}
        </h2>
        <p className="text-lg">{turbos.intro}</p>
        <dl className="mt-6 grid gap-5">
          {turbos.checks.map(({ title, text }) => (
            <div key={title} className="border-l-4 border-primary pl-5">
              <dt className="font-display text-2xl leading-tight font-bold uppercase">{title}</dt>
              <dd className="mt-1 text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

function Terms() {
  return (
    <section aria-labelledby="terms" className="border-t border-base-300 bg-base-200">
      <div className="shell grid gap-8 py-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:gap-16 lg:py-20">
        <h2 id="terms" className="heading-mark text-4xl sm:text-5xl">
          {terms.heading}
        </h2>
        <dl className="grid gap-x-10 sm:grid-cols-2">
          {terms.items.map(({ name, value }) => (
            <div key={name} className="border-t border-base-300 py-4">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

function Start() {
  return (
    <section
      aria-labelledby="start"
      className="shell flex flex-wrap items-center justify-between gap-6 py-16"
    >
      <h2 id="start" className="text-4xl">
        {start.heading}
      </h2>
      <ButtonLink to={paths.shop} className="btn-lg">
        {start.shop}
      </ButtonLink>
    </section>
  );
}

export default function AboutPage() {
  return (
    <>
      <Banner />
      <Benefits />
      <Principles />
      <Steps />
      <Turbos />
      <Terms />
      <Start />
    </>
  );
}
