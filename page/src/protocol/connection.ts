// One WebSocket that comes back after a dropped line: waits double from 0.25 s to 8 s, and are cut short when the page is looked at again.

export type LineState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Line {
  send(message: object): void;
  close(): void;
}

export interface Receiver {
  onText(text: string): void;
  onData(data: ArrayBuffer): void;
  onState(state: LineState, wait: number): void;
}

/** Seconds before try n (from 0), a fifth of them by chance so that many viewers do not come at once. */
export function backOff(n: number, chance: number): number {
  return Math.min(8, 0.25 * 2 ** Math.min(n, 20)) * (1 + 0.2 * chance);
}

export function connect(address: string, receiver: Receiver): Line {
  let socket: WebSocket | null = null;
  let tries = 0;
  let timer = 0;
  let closed = false;

  const open = (): void => {
    receiver.onState(tries === 0 ? 'connecting' : 'lost', 0);
    const s = new WebSocket(address, 'umov.view.1');
    s.binaryType = 'arraybuffer';
    socket = s;
    s.onopen = () => {
      receiver.onState('open', 0);
    };
    s.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      tries = 0;
      if (typeof event.data === 'string') receiver.onText(event.data);
      else receiver.onData(event.data);
    };
    s.onclose = () => {
      if (socket !== s || closed) return;
      socket = null;
      const wait = backOff(tries++, Math.random());
      receiver.onState(tries > 6 ? 'refused' : 'lost', wait);
      timer = window.setTimeout(open, 1000 * wait);
    };
  };
  const hurry = (): void => {
    if (document.hidden || socket || closed) return;
    window.clearTimeout(timer);
    open();
  };
  document.addEventListener('visibilitychange', hurry);
  window.addEventListener('online', hurry);
  open();
  return {
    send(message) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      closed = true;
      window.clearTimeout(timer);
      socket?.close();
    },
  };
}
