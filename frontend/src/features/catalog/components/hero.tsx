import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { paths } from '@/lib/paths';
import { useHydrated } from '@/lib/use-hydrated';
import { ButtonLink } from '@/ui/button';
import { cx } from '@/ui/cx';
import { heroMessages } from '../pages/messages';

const TURN = 6000;
/**
 * A phone is given an eighth less than it draws. In scenes as dark and soft as these nobody sees that, and the first of them,
 * for which everybody waits, then comes in the first ten packets that a server may send.
 */
const SIZES = '(min-width: 48rem) 75vw, 88vw';

const slides = [
  { picture: 'hero-turbo', line: heroMessages.turbos },
  { picture: 'hero-brakes', line: heroMessages.brakes },
  { picture: 'hero-wheel', line: heroMessages.wheels },
] as const;

const reducedMotion = () =>
  window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;

/** Which slide is shown, and how it changes: by itself, by the buttons, by the arrow keys and by scrolling. */
function useSlides() {
  const track = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [playing, setPlaying] = useState(true);
  const [held, setHeld] = useState(false);

  // Not sooner: the page was rendered where nobody has a preference.
  useEffect(() => {
    if (reducedMotion()) setPlaying(false);
  }, []);

  const show = useCallback((index: number) => {
    const element = track.current;
    if (!element) return;
    const target = (index + slides.length) % slides.length;
    const behavior = reducedMotion() ? 'auto' : 'smooth';
    element.scrollTo({ left: target * element.clientWidth, behavior });
    setCurrent(target);
  }, []);

  useEffect(() => {
    if (!playing || held) return;
    const timer = setTimeout(() => show(current + 1), TURN);
    return () => clearTimeout(timer);
  }, [playing, held, current, show]);

  const onScroll = () => {
    const element = track.current;
    if (!element || element.clientWidth === 0) return;
    const nearest = Math.round(element.scrollLeft / element.clientWidth);
    const settled = Math.abs(element.scrollLeft - nearest * element.clientWidth) < 2;
    if (settled) setCurrent(nearest);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(current + step);
  };

  return { track, current, playing, setPlaying, setHeld, show, onScroll, onKeyDown };
}

interface SlideProps {
  slide: (typeof slides)[number];
  index: number;
  current: number;
}

function Slide({ slide, index, current }: SlideProps) {
  // The pictures beside the first stand so near that browsers load them at once, while the first is still on its way.
  const hydrated = useHydrated();
  const Heading = index === 0 ? 'h1' : 'h2';
  return (
    <li
      aria-roledescription="slide"
      aria-label={heroMessages.position(index + 1, slides.length)}
      className="relative w-full shrink-0 snap-start"
    >
      {(index === 0 || hydrated) && (
        <img
          src={`/pictures/${slide.picture}-960.webp`}
          srcSet={[640, 960, 1440]
            .map((width) => `/pictures/${slide.picture}-${width}.webp ${width}w`)
            .join(', ')}
          sizes={SIZES}
          width={1440}
          height={810}
          alt=""
          loading={index === 0 ? 'eager' : 'lazy'}
          fetchPriority={index === 0 ? 'high' : 'low'}
          className="hero-picture"
        />
      )}
      <div className="hero-words shell relative flex flex-col items-start gap-5 pt-2 pb-24 md:min-h-[30rem] md:justify-center md:py-16 md:pb-24 lg:min-h-[38rem] lg:py-20 lg:pb-28">
        <Heading className="text-[clamp(2.75rem,7.6vw,6.75rem)] sm:max-w-[6.4em] leading-[0.92]">
          {heroMessages.heading}
        </Heading>
        <p className="max-w-md text-lg text-base-content md:max-w-72 lg:max-w-md lg:text-xl">
          {slide.line}
        </p>
        <ButtonLink to={paths.shop} className="btn-lg px-8" tabIndex={index === current ? 0 : -1}>
          {heroMessages.discover}
        </ButtonLink>
      </div>
    </li>
  );
}

const control = 'btn btn-square btn-outline border-edge';

function Controls({
  current,
  playing,
  onPlay,
  onShow,
}: {
  current: number;
  playing: boolean;
  onPlay: (playing: boolean) => void;
  onShow: (index: number) => void;
}) {
  const PlayIcon = playing ? Pause : Play;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-5">
      <div className="shell flex items-center gap-2">
        <div className="pointer-events-auto flex gap-2">
          <button type="button" className={control} onClick={() => onShow(current - 1)}>
            <ChevronLeft aria-hidden="true" className="size-5" />
            <span className="sr-only">{heroMessages.previous}</span>
          </button>
          <button type="button" className={control} onClick={() => onPlay(!playing)}>
            <PlayIcon aria-hidden="true" className="size-5" />
            <span className="sr-only">{playing ? heroMessages.pause : heroMessages.play}</span>
          </button>
          <button type="button" className={control} onClick={() => onShow(current + 1)}>
            <ChevronRight aria-hidden="true" className="size-5" />
            <span className="sr-only">{heroMessages.next}</span>
          </button>
        </div>
        <div aria-hidden="true" className="ml-auto flex items-center gap-2">
          {slides.map((slide, index) => (
            <span
              key={slide.picture}
              className={cx(
                'h-1 w-8 transition-colors sm:w-12',
                index === current ? 'bg-primary' : 'bg-edge',
              )}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/**
 * Three slides in a row that the browser itself scrolls and snaps: it works by touch and wheel before any script has
 * run. The script adds turning, the arrow keys and the buttons.
 */
export function Hero() {
  const { track, current, playing, setPlaying, setHeld, show, onScroll, onKeyDown } = useSlides();
  return (
    <section
      aria-roledescription="carousel"
      aria-label={heroMessages.label}
      data-theme="driveline-dark"
      className="relative overflow-hidden bg-base-100"
      onKeyDown={onKeyDown}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <ul
        ref={track}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
        tabIndex={0}
        aria-label={heroMessages.slides}
        className="hide-scrollbar flex snap-x snap-mandatory overflow-x-auto"
      >
        {slides.map((slide, index) => (
          <Slide key={slide.picture} slide={slide} index={index} current={current} />
        ))}
      </ul>
      <Controls current={current} playing={playing} onPlay={setPlaying} onShow={show} />
    </section>
  );
}
