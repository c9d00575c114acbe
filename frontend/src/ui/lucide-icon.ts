import { createElement, type SVGProps } from 'react';

/** What each of lucide's icons hands over: its name, and its strokes as elements with their attributes. */
interface Drawing {
  name: string;
  node: [tag: string, attributes: Record<string, string>][];
}

/**
 * Makes a component of one of lucide's drawings, as lucide itself does, whose place it takes in the built client. Lucide's own
 * also takes a context, other frameworks' names and sizes of every kind, for a kilobyte of the first page's script.
 */
export default function createLucideIcon({ name, node }: Drawing) {
  const strokes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return ({ className, ...rest }: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: className ? `lucide lucide-${name} ${className}` : `lucide lucide-${name}`,
        'aria-hidden': rest['aria-label'] ? undefined : 'true',
        ...rest,
      },
      strokes,
    );
}
