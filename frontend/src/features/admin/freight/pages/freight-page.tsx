import { TabsPage } from '../../shared/components/tabs-page';
import { MethodList } from '../components/method-list';
import { UnweighedList } from '../components/unweighed-list';
import { messages } from '../messages';

const { methods, unweighed } = messages;

/** What delivery costs, and the parts that it cannot weigh. */
export default function FreightPage() {
  return (
    <TabsPage
      heading={messages.heading}
      intro={messages.intro}
      label={messages.lists}
      tabs={[
        { value: 'methods', label: methods.title, List: MethodList },
        { value: 'unweighed', label: unweighed.title, List: UnweighedList },
      ]}
    />
  );
}
