import { type ReactNode, ViewTransition } from 'react';

/**
 * A product's picture that travels from the place that is left to the one that is opened, where both show it. Anything else
 * of it changes as it is; where a browser knows no view transitions, the picture does too.
 */
export function TravelingPicture({ id, children }: { id: string; children: ReactNode }) {
  return (
    <ViewTransition name={`picture-${id}`} default="none" share="auto">
      {children}
    </ViewTransition>
  );
}
