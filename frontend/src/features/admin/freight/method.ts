import { array, object, string } from 'yup';
import { moneyInput } from '@/lib/money';
import { messages as shared } from '../shared/messages';
import { decimal, money, whole, words } from '../shared/rules';
import { messages } from './messages';
import type { NewShippingMethod, ShippingMethod } from './wire';

const { fields } = messages.methods;
const { rules } = shared;

/** A shipping method as it is typed: kilograms instead of grams. */
export interface MethodValues {
  name: string;
  countries: string;
  freeOver: string;
  divisor: string;
  bands: { upTo: string; price: string }[];
  perExtraKg: string;
  palletFrom: string;
  perPallet: string;
}

const GRAMS = 1_000;

/** `2500` grams are `2.5` kilograms. */
export const kilograms = (grams: number) => String(grams / GRAMS);

const gramsOf = (typed: string) => Math.round(Number(typed) * GRAMS);

export const blankMethod: MethodValues = {
  name: '',
  countries: '',
  freeOver: '',
  divisor: '',
  bands: [{ upTo: '', price: '' }],
  perExtraKg: '',
  palletFrom: '',
  perPallet: '',
};

const typed = (number: number | null | undefined, format: (number: number) => string = String) =>
  number == null ? '' : format(number);

export function methodValues(method: ShippingMethod): MethodValues {
  return {
    name: method.name,
    countries: (method.countries ?? []).join(', '),
    freeOver: typed(method.freeOver, moneyInput),
    divisor: typed(method.divisor),
    bands: method.bands.map(({ upToGrams, price }) => ({
      upTo: kilograms(upToGrams),
      price: moneyInput(price),
    })),
    perExtraKg: typed(method.perExtraKg, moneyInput),
    palletFrom: typed(method.palletFromGrams, kilograms),
    perPallet: typed(method.perPallet, moneyInput),
  };
}

/** The codes of what is typed, whatever stands between them. */
export const codesIn = (text: string) =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);

const dollars = (text: string) => (text.trim() === '' ? null : Number(text));

/** As it is sent. */
export function methodOf(values: MethodValues): NewShippingMethod {
  const codes = [...new Set(codesIn(values.countries))];
  return {
    name: values.name.trim(),
    countries: codes.length === 0 ? null : codes,
    freeOver: dollars(values.freeOver),
    divisor: dollars(values.divisor),
    bands: values.bands.map(({ upTo, price }) => ({
      upToGrams: gramsOf(upTo),
      price: Number(price),
    })),
    perExtraKg: dollars(values.perExtraKg),
    palletFromGrams: values.palletFrom.trim() === '' ? null : gramsOf(values.palletFrom),
    perPallet: dollars(values.perPallet),
  };
}

const HEAVIEST = 1_000_000;
const weight = (label: string) => decimal(label, 0.001, HEAVIEST, 3);

/** The rules of a method; `known` says whether a country's code is one, as far as that is known. */
export const methodSchema = (known: (code: string) => boolean) =>
  object({
    name: words(60).required(rules.required(fields.name)),
    countries: string().test('codes', (text, context) => {
      const unknown = codesIn(text ?? '').filter((code) => !known(code));
      return (
        unknown.length === 0 ||
        context.createError({ message: fields.unknownCountries(unknown.join(', ')) })
      );
    }),
    freeOver: money(fields.freeOver, 0),
    divisor: whole(fields.divisor, 1, 1_000_000),
    bands: array()
      .of(
        object({
          upTo: weight(fields.upTo).required(rules.required(fields.upTo)),
          price: money(fields.price, 0).required(rules.required(fields.price)),
        }),
      )
      .min(1, fields.noBands)
      .test('ascending', (bands, context) => {
        let least = 0;
        for (const [place, { upTo }] of (bands ?? []).entries()) {
          if (upTo !== undefined && upTo <= least) {
            return context.createError({
              path: `bands.${place}.upTo`,
              message: fields.above(least),
            });
          }
          least = upTo ?? least;
        }
        return true;
      }),
    perExtraKg: money(fields.perExtraKg, 0),
    palletFrom: weight(fields.palletFrom).when(['perPallet'], ([perPallet], schema) =>
      perPallet === undefined || perPallet === '' ? schema : schema.required(fields.palletMissing),
    ),
    perPallet: money(fields.perPallet, 0),
  });
