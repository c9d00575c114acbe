import type { Config } from '@/api/types';
import { formatCount } from '@/lib/money';
import { paths } from '@/lib/paths';

/*
 * Every word of Contact, Shipping, Returns, Terms and Privacy. They promise what the spec's claims say (free delivery over
 * $140, 24/7 support, money back within 30 days) and describe what the program does: whoever changes one changes the other.
 */

/** What the shop itself does with unpaid orders, as its operator has set it. */
export type UnpaidOrders = Config['unpaidOrders'];

/** A paragraph; one that depends on the operator's settings is a function of them. */
export type Paragraph = string | ((rules: UnpaidOrders) => string);

/** One heading of a page, and what stands below it. */
export interface Section {
  heading: string;
  text?: readonly Paragraph[];
  /** Steps, in their order. */
  steps?: readonly string[];
  facts?: readonly { name: string; value: string }[];
  links?: readonly { to: string; label: string }[];
}

export interface Policy {
  heading: string;
  intro: string;
  sections: readonly Section[];
}

/** Minutes in the largest unit that holds them whole, but for a day, which people count in hours. */
export function inWords(minutes: number): string {
  const units = [
    { name: 'day', length: 24 * 60, from: 2 },
    { name: 'hour', length: 60, from: 2 },
  ];
  const whole = ({ length, from }: (typeof units)[number]) =>
    minutes % length === 0 && minutes / length >= from;
  const { name, length } = units.find(whole) ?? { name: 'minute', length: 1 };
  const count = minutes / length;
  return `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
}

/** How long units are reserved for an unpaid order. */
function reservedFor({ minutes, minutesForNewAccounts }: UnpaidOrders): string {
  if (minutes === minutesForNewAccounts) return `usually ${inWords(minutes)}.`;
  return `usually ${inWords(minutes)}, or ${inWords(minutesForNewAccounts)} if your account hasn't paid for an order yet.`;
}

const mostUnpaid = ({ mostForNewAccounts: most }: UnpaidOrders) => {
  if (most === null) return '';
  const orders = most === 1 ? '1 unpaid order' : `${formatCount(most)} unpaid orders`;
  return ` Until your account has paid for an order, it can have up to ${orders}.`;
};

const toContact = { to: paths.contact, label: 'Contact us' };
const toReturns = { to: paths.returnPolicy, label: 'Returns and refunds' };
const toShipping = { to: paths.shipping, label: 'Shipping' };
const toPrivacy = { to: paths.privacy, label: 'Privacy' };

export const contactMessages = {
  company: 'Company',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  hours: 'Hours',
  aside: 'Questions?',
  details: 'Our contact details',
  loading: 'Loading our contact details',
  failed: "We couldn't load our contact details",
  /** For a store that names neither an email address nor a phone number. */
  otherWays:
    'Reply to any email from us, such as your sign-up or order confirmation. Your message reaches the people who handle your order.',
  demo: 'This store is a demo: nothing is sold, no money moves, nothing ships, and nobody answers at the address shown. The rest reads as it would in a real store.',
} as const;

export const contact: Policy = {
  heading: 'Contact us',
  intro: '24/7 customer support: ask about a part, an order or a return at any hour.', // spec
  sections: [
    {
      heading: 'What to include',
      facts: [
        {
          name: 'About an order',
          value:
            "The order number, such as DL-10428. It's on the order's page and in every email about it.",
        },
        { name: 'About a part', value: 'The part number from the product page.' },
        { name: 'About a return', value: 'The order number and how many units are coming back.' },
        { name: 'About your account', value: 'Write from the email address you log in with.' },
      ],
    },
    {
      heading: 'Quick answers',
      text: [
        "Your orders show what's paid, what's waiting for approval and what has shipped. Open one to see every step with its date.",
      ],
      links: [{ to: paths.myOrders, label: 'My orders' }, toShipping, toReturns],
    },
  ],
};

export const shipping: Policy = {
  heading: 'Shipping',
  intro: 'Free delivery for orders over $140, and no surprises on smaller ones.', // spec
  sections: [
    {
      heading: 'What delivery costs',
      text: [
        'Nothing for orders over $140.',
        "We don't add a delivery charge to smaller orders at checkout either: the total you see when you order is the total you pay.",
      ],
    },
    {
      heading: 'When your order ships',
      text: [
        'Pay for your order and our team checks it, packs it and hands it to a carrier. Until then it says Pending Approval. When it ships, it says Shipped and we email you.',
        'Orders too large to pay by card ship on account after we approve them.',
      ],
    },
    {
      heading: 'Your units are reserved',
      text: [
        (rules) =>
          `The units you order leave our stock right away, so nobody else can buy them. Pay by the time shown on your order: ${reservedFor(rules)}`,
        "We email you a reminder. If the time passes, we cancel the order and the units go back into stock. You won't be charged.",
      ],
    },
    {
      heading: 'Where we ship',
      text: [
        "To the address you enter with your order. Spotted a mistake? Cancel the order while it's unpaid and order again, or contact us before it ships.",
      ],
      links: [toContact],
    },
    {
      heading: "If something isn't right",
      text: [
        'Damaged, missing or wrong parts: tell us within 30 days after they ship and you get your money back.',
      ],
      links: [toReturns],
    },
  ],
};

export const returnPolicy: Policy = {
  heading: 'Returns and refunds',
  intro: 'Money back guarantee within 30 days.', // spec
  sections: [
    {
      heading: 'What the guarantee covers',
      text: [
        'Everything we sell, once it is paid, for 30 days from the day it ships. Send back the whole order or some of its units, for any reason.',
      ],
    },
    {
      heading: 'How to ask for a return',
      steps: [
        'Open the order under My orders, choose Return units, and say why and how many.',
        'Send them, unused and in their boxes, to the address on our Contact page, with your order number.',
        "We accept the return and refund what you paid for those units, or tell you why we can't. Either way we email you, and our answer is on the order's page.",
      ],
      links: [{ to: paths.myOrders, label: 'My orders' }, toContact],
    },
    {
      heading: 'How you get your money',
      text: [
        "Back to the card you paid with. The refund shows on your order's page. Your bank may need a few more days to show it.",
        "If the card can't take it, we send a bank transfer.",
      ],
    },
    {
      heading: "If it hasn't shipped yet",
      text: [
        'Cancel an unpaid order yourself, any time before it ships. Nothing has been charged.',
        "Paid already? Contact us before it ships. We'll refund you in full.",
      ],
      links: [{ to: paths.myOrders, label: 'My orders' }],
    },
  ],
};

export const terms: Policy = {
  heading: 'Terms of sale',
  intro: 'What you agree to when you order, and what you can hold us to.',
  sections: [
    {
      heading: 'Ordering',
      text: [
        'You buy from the company named on the Contact page. You need an account with your own email address.',
        'The minimum order is 50 units of a part. Some parts require more, and their page says so. You can order up to what we have in stock.',
      ],
      links: [toContact],
    },
    {
      heading: 'Prices',
      text: [
        'Prices are in US dollars, per unit. You pay unit price times quantity. The price is locked in when you order; if it changed while you were ordering, we show you the new one and ask first.',
      ],
    },
    {
      heading: 'Payment',
      text: [
        (rules) =>
          `Pay by card when you order, or later from your dashboard. Your units stay reserved until the time shown on your order: ${reservedFor(rules)}${mostUnpaid(rules)}`,
        'Orders of $1,000,000 or more are too large for a card. They ship on account after we approve them.',
      ],
    },
    {
      heading: 'Canceling',
      text: [
        "You can cancel while your order is unpaid and hasn't shipped. We cancel it for you if it isn't paid in time.",
        "If we can't ship what you paid for, you get all of your money back.",
      ],
    },
    {
      heading: 'Delivery and returns',
      text: [
        'Free delivery for orders over $140. Money back guarantee within 30 days. 24/7 customer support.', // spec
      ],
      links: [toShipping, toReturns],
    },
    {
      heading: 'Reviews and accounts',
      text: [
        'Reviews are public, with your name. We take down any that are abusive or not about us or our parts.',
        "Keep your password to yourself: what's ordered with your account is your order. We may close an account that's used for fraud.",
      ],
      links: [toPrivacy],
    },
  ],
};

export const privacy: Policy = {
  heading: 'Privacy',
  intro:
    "What we collect, why, and who else sees it. There are no ads and no trackers here, and we don't sell data.",
  sections: [
    {
      heading: 'What we collect and why',
      facts: [
        {
          name: 'Account',
          value:
            'Your name, email and password, to log you in and to write to you about your orders. We store the password only as a hash that nobody can read.',
        },
        {
          name: 'Orders',
          value:
            'Name, email, phone, delivery address, and what you bought and paid, to ship it, refund it and keep our books.',
        },
        {
          name: 'Profile',
          value:
            'Only what you choose to add: a picture, a phone number, where you live and study, and links.',
        },
        { name: 'Reviews', value: 'Your name, rating and text. Everyone can read them.' },
        { name: 'Newsletter', value: 'Your email, until you unsubscribe.' },
        {
          name: 'Security',
          value:
            'Failed logins, counted by email, browser and network, to stop password guessing. If a page breaks, your browser reports the error without anything about you.',
        },
      ],
    },
    {
      heading: 'Who else gets data',
      facts: [
        {
          name: 'Card processor',
          value:
            'Card details go from your browser straight to our card processor. We never see the card number. It also gets your name, your email and the total.',
        },
        {
          name: 'Image host',
          value: 'Pictures you upload may be stored by an image hosting service.',
        },
        {
          name: 'Google',
          value:
            'Only if you continue with Google. It learns that you use this store, and we get your name, email and picture.',
        },
        {
          name: 'Email and carriers',
          value: 'The companies that carry our emails and your parts.',
        },
        {
          name: 'Order systems',
          value: 'Programs that help us run the store, such as a warehouse system, can get orders.',
        },
      ],
    },
    {
      heading: 'Cookies',
      text: [
        "We set only the cookies that logging in needs, so there's no banner to click. On a secure address some names begin with __Host-.",
      ],
      facts: [
        {
          name: 'session',
          value: 'Keeps you logged in, for up to 30 days. Logging out deletes it.',
        },
        {
          name: 'signed-in',
          value: 'Says only that you are logged in, so that pages start with the right menu.',
        },
        {
          name: 'device',
          value:
            "Recognizes this browser for a year, so that someone else's wrong passwords can't lock you out.",
        },
        {
          name: 'google-attempt, google-pending',
          value: 'While you log in with Google, for an hour at most.',
        },
      ],
    },
    {
      heading: 'In your browser',
      text: [
        'Local storage keeps a short-lived access token while you are logged in, your choice of light or dark, and the vehicles you chose. A VIN is looked up and kept nowhere. Tab storage keeps what you typed into forms, until you close the tab.',
      ],
    },
    {
      heading: 'How long we keep it',
      text: [
        'Your account, until you ask us to close it. Orders and their contact details stay on record after that, because our books need them.',
        "Emails we've sent are deleted from our system after 30 days.",
      ],
    },
    {
      heading: 'Your choices',
      text: [
        'See and change your details, and log out other browsers, on your profile. To get a copy of your data, or to close your account, contact us.',
      ],
      links: [
        { to: paths.profile, label: 'My profile' },
        { to: paths.unsubscribe, label: 'Unsubscribe from the newsletter' },
        toContact,
      ],
    },
  ],
};
