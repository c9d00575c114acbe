import { useState } from 'react';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Quietly } from './error-boundary';
import * as messages from './messages';

const Suggestions = retryingLazy(() => import(/* webpackChunkName: "find" */ './find/suggestions'));

/** The way to a part from every screen: a plain form that works by itself, and suggests once somebody comes to type. */
export function FindBox() {
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search around the form would be one more element to lay out.
    <form role="search" action={paths.shop} className="find">
      <input
        // It may have the focus from before there was anybody to hear of it.
        ref={(element) => {
          if (element === document.activeElement) setInput(element);
        }}
        name="q"
        className="input"
        aria-label={messages.find}
        placeholder={messages.find}
        autoComplete="off"
        onFocus={(event) => setInput(event.currentTarget)}
      />
      {input && (
        <Quietly>
          <Suggestions input={input} />
        </Quietly>
      )}
    </form>
  );
}
