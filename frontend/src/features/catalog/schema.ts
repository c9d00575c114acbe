import { object, string } from 'yup';
import { billingMessages } from './pages/messages';

const { nameRequired, phoneRequired, addressRequired, most } = billingMessages;

/* The lengths are the server's own, so that a text is never cut or refused after the form was sent. */
export const billingSchema = object({
  name: string().trim().required(nameRequired).max(120, most(120)),
  phone: string().trim().required(phoneRequired).max(40, most(40)),
  address: string().trim().required(addressRequired).max(500, most(500)),
});
