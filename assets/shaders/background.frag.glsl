in vec2 uv;
uniform vec3 top;
uniform vec3 bottom;
out vec4 color;

void main() {
    // A little noise below one step of colour keeps the gradient free of bands.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    color = vec4(mix(bottom, top, uv.y) + noise / 255.0, 1.0);
}
