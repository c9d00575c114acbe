import type { ReactNode } from 'react';
import { authMessages } from '../pages/messages';

/** The frame of the screens by which one gets in: the card, and on wide screens the workshop beside it. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="shell grid items-stretch gap-8 py-10 lg:grid-cols-2 lg:py-16">
      <div
        data-theme="driveline-dark"
        className="relative hidden overflow-hidden rounded-box bg-base-100 lg:block"
      >
        <img
          src="/pictures/hero-turbo-960.webp"
          srcSet="/pictures/hero-turbo-640.webp 640w, /pictures/hero-turbo-960.webp 960w"
          sizes="40vw"
          width={960}
          height={540}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover object-[78%_center] opacity-80"
        />
        <div className="absolute inset-0 bg-linear-to-t from-base-100 to-transparent to-70%" />
        <p className="absolute inset-x-8 bottom-8 font-display text-4xl leading-tight font-bold uppercase">
          {authMessages.claim[0]}
          <br />
          {authMessages.claim[1]}
        </p>
      </div>
      <div className="card-surface mx-auto grid w-full max-w-xl content-start gap-6 p-6 sm:p-10 lg:min-h-[36rem]">
        <h1 className="heading-mark text-5xl">{title}</h1>
        {children}
      </div>
    </div>
  );
}
