/* The part of a stylesheet that a page needs until the rest of it has arrived. */
import { JSDOM } from 'jsdom';
import postcss from 'postcss';

/** Boxes that no element stands for, and what the keyboard may do at any time: they count as there. */
const ALWAYS =
  /::?(?:before|after|placeholder|backdrop|selection|marker|first-letter|first-line)(?![\w-])|:focus(?:-visible|-within)?(?![\w-])/g;
/** The theme and the hint of a session are set by a script before the first paint. */
const SET_LATER = /:root(?:\[[^\]]*\]|:not\(\[[^\]]*\]\))+/g;
/** Matches every element. */
const ANY = ':not(nothing-has-this-name)';

function matches(document, selector) {
  const lasting = selector.replace(SET_LATER, ':root').replace(ALWAYS, ANY);
  try {
    return document.querySelector(lasting) !== null;
  } catch {
    // What this engine does not know (boxes of one browser's own, pickers) is nothing that is drawn at first.
    return false;
  }
}

function isKeyframes(node) {
  return node.type === 'atrule' && /keyframes$/.test(node.name);
}

/** Takes out of `container` every rule that no element matches, and what is empty then. */
function keepMatching(container, parent, used) {
  for (const node of [...container.nodes]) {
    if (node.type === 'rule') {
      const whole = (selector) => {
        if (parent === null) return selector;
        return selector.includes('&') ? selector.replaceAll('&', parent) : `${parent} ${selector}`;
      };
      const left = node.selectors.filter((selector) => used(whole(selector)));
      if (left.length === 0) {
        node.remove();
        continue;
      }
      node.selectors = left;
      keepMatching(node, `:is(${left.map(whole).join(',')})`, used);
      if (node.nodes.length === 0) node.remove();
    } else if (node.type === 'comment') {
      node.remove();
    } else if (node.type === 'atrule' && node.nodes && !isKeyframes(node)) {
      keepMatching(node, parent, used);
      if (node.nodes.length === 0 && node.name !== 'layer') node.remove();
    }
  }
}

/** Takes out custom properties and animations that nothing left refers to, until nothing goes any more. */
function dropUnnamed(sheet) {
  const named = new Set();
  sheet.walkDecls((declaration) => {
    for (const name of declaration.value.match(/--[\w-]+/g) ?? []) named.add(name);
    if (/^animation(?:-name)?$|^--/.test(declaration.prop)) {
      for (const name of declaration.value.match(/[a-zA-Z][\w-]*/g) ?? []) named.add(name);
    }
  });
  let dropped = false;
  const drop = (node) => {
    const { parent } = node;
    node.remove();
    if (parent.nodes.length === 0 && parent.type === 'rule') parent.remove();
    dropped = true;
  };
  sheet.walkDecls(/^--/, (declaration) => {
    if (!named.has(declaration.prop)) drop(declaration);
  });
  sheet.walkAtRules((rule) => {
    if ((isKeyframes(rule) || rule.name === 'property') && !named.has(rule.params.trim()))
      drop(rule);
  });
  if (dropped) dropUnnamed(sheet);
}

/**
 * The rules of `css` that draw the page `html` as long as nobody points at anything: with the order of the layers, and
 * with the fonts, the animations and the custom properties that they refer to.
 */
export function usedStyles(html, css) {
  const { document } = new JSDOM(html).window;
  // A browser without scripts has these as elements.
  for (const note of document.querySelectorAll('body noscript')) note.outerHTML = note.textContent;
  const known = new Map();
  const used = (selector) => {
    const before = known.get(selector);
    if (before !== undefined) return before;
    const answer = matches(document, selector);
    known.set(selector, answer);
    return answer;
  };
  const sheet = postcss.parse(css);
  keepMatching(sheet, null, used);
  dropUnnamed(sheet);
  return sheet.toString();
}
