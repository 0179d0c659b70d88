// Starts the page: its server and token are those of its own address.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { warmUp } from './draw/field_shader.ts';
import { App } from './ui/app.ts';

const here = window.location;
const scheme = here.protocol === 'https:' ? 'wss:' : 'ws:';
new App(`${scheme}//${here.host}/ws${here.search}`);
warmUp();
