// Lessons: answers come without a page load. Where somebody stands is in a cookie, which the server reads and writes.
import { swapping } from "./swap.js";

swapping("lesson");
