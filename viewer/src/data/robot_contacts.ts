// Where robots can touch: what the scene or a run says, or else the server, which is asked when someone wants to see it.

import { ability, type Context } from '../modes/context';
import type { RobotContact } from '../stream';

interface Answer {
  contacts: RobotContact[];
  source: string;
  remarks: string[];
}

/** Returns a function that provides the contacts once the layer `contacts` is shown. */
export function contactsOnDemand(context: Context): () => void {
  const { scene, stage, connection, findings } = context;
  const asked = new Set<number>();
  const runs = scene.mode === 'live' ? [scene.live!] : scene.runs;
  stage.robots.forEach((figure, i) => {
    const contacts = scene.mode === 'pose' ? [] : runs[i].contacts;
    if (contacts.length && !figure.touch.known) figure.setContacts(contacts.map((contact) => ({ ...contact, role: 'foot', radius: 0, why: '' })));
  });
  return () => {
    if (!stage.shown('contacts') || !ability(context, 'contacts').can) return;
    stage.robots.forEach((figure, i) => {
      if (figure.touch.known || asked.has(i)) return;
      asked.add(i);
      const robot = scene.mode === 'pose' ? i : runs[i].robot;
      const take = ({ contacts, remarks }: Answer): void => {
        figure.setContacts(contacts);
        findings.add(remarks.map((text) => ({ severity: 'note', text: `contacts: ${text}` })));
      };
      const failed = (error: Error): void => findings.add([{ severity: 'note', text: `contacts: ${error.message}` }]);
      connection!.ask({ ask: 'contacts', robot }).then((answer) => take(answer as unknown as Answer), failed);
    });
  };
}
