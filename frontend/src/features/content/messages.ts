/* Every word of About and of the 404 page; the blog's texts are long, and stand in blog-messages.ts. */

export const aboutMessages = {
  heading: 'Reliable parts since 1992', // spec: the tagline
  intro: 'Driveline supplies vehicle parts in bulk, and turbochargers are what we know best.',
  principles: {
    heading: 'How we do business',
    items: [
      {
        title: 'Fifty or more',
        text: 'We sell to workshops, fleets and dealers who use a part more than once. A 50-unit minimum keeps handling costs down, and we pass the savings on.',
      },
      {
        title: 'Real-time stock',
        text: 'The quantity you see is what we have right now. Once you order, those units are reserved for you until the pay-by time on your order.',
      },
      {
        title: 'No surprises on the bill',
        text: 'The price you see is the unit price in US dollars. You pay unit price times quantity, and that price is locked in when you order.',
      },
    ],
  },
  steps: {
    heading: 'How ordering works',
    items: [
      {
        title: 'Pick',
        text: 'Search by name, category or part number, then choose a quantity.',
      },
      {
        title: 'Order',
        text: 'Tell us where to ship. Your units are reserved right away.',
      },
      {
        title: 'Pay',
        text: 'Pay by card now, or later from your dashboard while your units are reserved. You can cancel any time before you pay.',
      },
      {
        title: 'Receive',
        text: 'Your order table shows when it ships. You have 30 days to send it back.',
      },
    ],
  },
  turbos: {
    heading: 'What we know best',
    intro:
      "A turbocharger spins faster than anything else on a car and forgives the least. It's the part we learned our trade on, and the one workshops call us about.",
    picture:
      'A turbocharger with its compressor in front, actuator above and turbine flange behind',
    checks: [
      {
        title: 'Balanced at speed',
        text: 'Every rotor is balanced at working speed on the bench before assembly, not just static-balanced by hand.',
      },
      {
        title: 'Flow tested',
        text: 'Variable vanes are set against measured flow, so the engine management gets what it expects.',
      },
      {
        title: 'Complete in the box',
        text: "Gaskets, studs, copper washers and the unit's own test sheet are in the box.",
      },
    ],
  },
  terms: {
    heading: 'Our terms in plain English',
    items: [
      { name: 'Minimum order', value: '50 units (some parts require more)' },
      { name: 'Delivery', value: 'Free for orders over $140' }, // spec
      { name: 'Payment', value: 'By card in US dollars, now or later' },
      { name: 'Cancellations', value: 'Free until the order is paid or shipped' },
      { name: 'Returns', value: 'Money back guarantee within 30 days' }, // spec
      { name: 'Help', value: '24/7 customer support' }, // spec
    ],
  },
  start: { heading: 'Ready to order?', shop: 'Shop parts' },
} as const;

export const notFoundMessages = {
  title: 'Page not found',
  code: '404',
  heading: 'OPSS! PAGE NOT FOUND', // spec
  text: "Sorry, the page you're looking for doesn't exist.", // spec
  home: 'Return home', // spec
} as const;
