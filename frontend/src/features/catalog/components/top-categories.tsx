import { Link } from 'react-router-dom';
import { categories } from '@/lib/categories';
import { paths } from '@/lib/paths';
import { pictureSource } from '@/lib/pictures';
import { homeMessages } from '../pages/messages';
import { SectionHeading } from './section-heading';
import { SeeMore } from './see-more';

const pictures: Record<string, string> = {
  TIRES: 'parts/tire-205-55-r16-640',
  'SERVICE KITS': 'parts/kit-14-16-640',
  'STEERING WHEEL': 'parts/wheel-350-sport-960',
  BRAKES: 'parts/brake-disc-312-960',
  BATTERIES: 'parts/battery-74ah-960',
  'OILS AND FLUIDS': 'parts/oil-5w30-c3-960',
};

/** Six tiles; each leads into the shop, filtered. */
export function TopCategories() {
  return (
    <section aria-labelledby="top-categories" className="shell py-16 lg:py-20">
      <SectionHeading id="top-categories" aside={<SeeMore of={homeMessages.categories.more} />}>
        {homeMessages.categories.heading}
      </SectionHeading>
      <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:gap-5">
        {categories.slice(0, 6).map(({ value, label }) => (
          <li key={value}>
            <Link
              to={`${paths.shop}?category=${encodeURIComponent(value)}`}
              className="card-surface group block overflow-hidden transition-shadow hover:shadow-raised"
            >
              <img
                {...pictureSource(`/pictures/${pictures[value]}.webp`)}
                sizes="(min-width: 80rem) 25rem, (min-width: 40rem) 31vw, 46vw"
                width={640}
                height={480}
                alt=""
                loading="lazy"
                className="aspect-4/3 w-full bg-backdrop object-cover transition-transform duration-300 group-hover:scale-[1.03]"
              />
              <span className="relative flex min-h-14 items-center justify-between gap-2 border-t-2 border-transparent bg-surface px-4 py-3 font-display text-xl leading-tight font-bold uppercase group-hover:border-primary sm:text-2xl">
                {label}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
