/**
 * Texts that have broken shops: each could be typed by a person into any field, and has to come back as text and as
 * nothing else. Escapes instead of the characters themselves, so that an editor shows what is there.
 */
export const hostileStrings: readonly { what: string; text: string }[] = [
  { what: 'a script', text: '<script>window.pwned=1;alert(1)</script>' },
  { what: 'a script that closes one', text: '</script><script>window.pwned=1</script>' },
  { what: 'a picture with a handler', text: '<img src=x onerror="window.pwned=1">' },
  { what: 'a drawing with a handler', text: '<svg/onload=window.pwned=1>' },
  { what: 'an attribute that ends early', text: '" onmouseover="window.pwned=1" x="' },
  { what: 'an attribute in single quotes', text: "' autofocus onfocus='window.pwned=1" },
  { what: 'a javascript: address', text: 'javascript:window.pwned=1//' },
  { what: 'a javascript: address in a link', text: '<a href="java\tscript:alert(1)">go</a>' },
  { what: 'a data: page', text: 'data:text/html,<script>alert(1)</script>' },
  { what: 'a frame with a page of its own', text: '<iframe srcdoc="<script>parent.pwned=1">' },
  { what: 'a style', text: '<style>*{display:none!important}</style>' },
  { what: 'a base address', text: '<base href="https://elsewhere.example/">' },
  { what: 'a comment that swallows the rest', text: '<!-- --!> <![CDATA[' },
  { what: 'entities', text: '&lt;b&gt;&amp;amp;&#x3C;&nbsp;&copy' },
  { what: 'a template of Angular', text: '{{constructor.constructor("window.pwned=1")()}}' },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text itself that is meant.
  { what: 'a template of JavaScript', text: '${window.pwned=1} #{7*7} <%= 7*7 %>' },
  { what: 'a prototype', text: '__proto__' },
  { what: 'a method of every object', text: 'constructor' },
  { what: 'null, undefined and not a number', text: 'null undefined NaN [object Object]' },
  { what: 'nothing but false', text: 'false' },
  { what: 'an end of SQL', text: "'; DROP TABLE orders; --" },
  { what: 'a condition of SQL', text: "%' OR 1=1 OR 'x' LIKE '_" },
  { what: 'a formula', text: '=HYPERLINK("https://elsewhere.example","pay")' },
  { what: 'a formula that begins with a sign', text: '+cmd|\' /C calc\'!A0,"";\t@SUM(1)' },
  { what: 'a path out of the folder', text: '../../../../etc/passwd%2e%2e%5c' },
  { what: 'a log line of its own', text: 'first line\r\nSet-Cookie: session=1\r\n\r\nlast' },
  { what: 'a format of C', text: '%s%n%x%d {0} \\x00 \\u0000' },
  { what: 'a right-to-left override', text: 'invoice\u202egnp.exe \u2067abc\u2069' },
  {
    what: 'Arabic and Hebrew',
    text: '\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd 123',
  },
  { what: 'characters without width', text: 'zero\u200bwid\u200cth\u200d\ufeff\u2060here' },
  {
    what: 'a family and a flag',
    text: '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u{1F1FA}\u{1F1F3}\u{1F6E0}\uFE0F',
  },
  {
    what: 'marks upon marks',
    text: `Z${'\u0335\u0321\u0353\u030d\u0344'.repeat(5)}a${'\u0300\u0316'.repeat(12)}`,
  },
  { what: 'separators of lines and paragraphs', text: 'one\u2028two\u2029three' },
  { what: 'wide and folded letters', text: '\uff1cscript\uff1e \ufb01 \u0130\u0131 \u1e9e \u01c5' },
  { what: 'the last plane', text: '\u{10FFFD}\u{E0001}\u{1D573}' },
  { what: 'a word without an end', text: 'W'.repeat(5000) },
];

/** The first `max` characters: a field's limit counts them and not their halves. */
export function cut(text: string, max: number): string {
  return Array.from(text).slice(0, max).join('').trim();
}

/** A text as the shop keeps it: without the marks that turn the direction of what comes after it. */
export function kept(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** One of everything, for screens that show a single thing. */
export const everythingHostile = hostileStrings.map(({ text }) => cut(text, 60)).join(' \u00b7 ');
