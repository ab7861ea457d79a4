import { mount } from 'svelte';
import App from './ui/App.svelte';
import './ui/tokens.css';
import './ui/base.css';

const target = document.getElementById('app');
if (target) mount(App, { target });
