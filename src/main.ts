import { mount } from 'svelte';
// First, so that what components say of themselves wins.
import './ui/tokens.css';
import './ui/base.css';
import App from './ui/App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });
