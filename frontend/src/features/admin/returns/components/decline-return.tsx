import { Formik, type FormikHelpers } from 'formik';
import { object, string } from 'yup';
import type { Order, OrderReturn } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Form, TextAreaField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useFormDialog } from '@/ui/use-form-dialog';
import { useDeclineReturnMutation } from '../api';
import { messages } from '../messages';

const { decline: text } = messages;

interface Values {
  answer: string;
}

const schema = object({
  answer: string().trim().required(text.answerRequired).max(500, text.answerTooLong),
});

interface DeclineReturnProps {
  order: Order;
  asked: OrderReturn;
  onDone: (said: string) => void;
  /** When a refusal was read: the screen is old. */
  onRefused: () => void;
}

/** Declines a return with an answer that its customer reads. */
export function DeclineReturn({ order, asked, onDone, onRefused }: DeclineReturnProps) {
  const keys = useIdempotencyKeys();
  const [decline] = useDeclineReturnMutation();
  const { open, failure, setFailure, show, close, finish } = useFormDialog(onRefused);

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const body = { answer: typed.answer.trim() };
    const key = keys.keyFor({ id: asked._id, ...body });
    const { error } = await decline({ id: asked._id, refusal: body, 'Idempotency-Key': key });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    finish();
    onDone(text.done);
  };

  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={show}>
        {text.button}
        <span className="sr-only"> {text.of(asked.units)}</span>
      </Button>
      <Dialog open={open} title={text.title(asked.units)} onClose={close}>
        <Formik<Values>
          validateOnBlur={false}
          initialValues={{ answer: '' }}
          validationSchema={schema}
          onSubmit={submit}
        >
          {({ isSubmitting }) => (
            <Form className="grid gap-5">
              <p>{text.explain(order.name)}</p>
              <TextAreaField
                name="answer"
                label={text.answer}
                hint={text.answerHint}
                maxLength={500}
                required
              />
              {failure && <Alert tone="error">{failure}</Alert>}
              <Button type="submit" busy={isSubmitting} className="justify-self-start">
                {text.send}
              </Button>
            </Form>
          )}
        </Formik>
      </Dialog>
    </>
  );
}
